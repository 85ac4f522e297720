package dev.vramscope.replay;

/** A card cannot do what a case asks of it: the case says nothing about this card. */
final class NoRoomOnCardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoRoomOnCardException(String message) {
    super(message);
  }
}
