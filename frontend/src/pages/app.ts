import '../styles/tokens.css';
