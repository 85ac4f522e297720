package dev.vramscope.explain.message;

/**
 * What a program reports in a message. Each is a constant of the producer that reads it; two are
 * the same if they are the same object.
 */
public final class MessageKind {
  private enum Role {
    FAILURE,
    WARNING,
    NOTICE,
    MEASUREMENT,
    CONTEXT
  }

  /** Whether one failure is told in several messages. */
  private enum Parts {
    ONE,
    PART,
    LEADING_PART
  }

  private final Role role;
  private final String id;
  private final Memory memory;
  private final String program;
  private final String label;
  private final Parts parts;
  private final boolean mayFollow;

  private MessageKind(
      Role role,
      String id,
      Memory memory,
      String program,
      String label,
      Parts parts,
      boolean mayFollow) {
    this.role = role;
    this.id = id;
    this.memory = memory;
    this.program = program;
    this.label = label;
    this.parts = parts;
    this.mayFollow = mayFollow;
  }

  private static MessageKind of(Role role, String id, Memory memory, String program, String label) {
    return new MessageKind(role, id, memory, program, label, Parts.ONE, /* mayFollow= */ false);
  }

  /**
   * Memory was refused, a process was ended for lack of memory, or a check about memory stopped a
   * program.
   *
   * @param id in JSON
   * @param program who was refused, to begin a sentence
   * @param label what the message is, within a sentence
   */
  public static MessageKind failure(String id, Memory memory, String program, String label) {
    return of(Role.FAILURE, id, memory, program, label);
  }

  /** The program did without the memory that was refused, or says that it may be too little. */
  public static MessageKind warning(String id, Memory memory, String program, String label) {
    return of(Role.WARNING, id, memory, program, label);
  }

  /** Nothing was refused, although the words may look like it. */
  public static MessageKind notice(String id, Memory memory, String program, String label) {
    return of(Role.NOTICE, id, memory, program, label);
  }

  /** Numbers of the memory. */
  public static MessageKind measurement(String id, Memory memory, String program, String label) {
    return of(Role.MEASUREMENT, id, memory, program, label);
  }

  /** What a program has and has set, as it says while it starts; it belongs to its failure. */
  public static MessageKind context(String id, Memory memory, String program, String label) {
    return of(Role.CONTEXT, id, memory, program, label);
  }

  /** The same, as one of several messages of one failure. */
  public MessageKind asPart() {
    return new MessageKind(role, id, memory, program, label, Parts.PART, mayFollow);
  }

  /** The same, as the message with the numbers, beside which others are parts of its failure. */
  public MessageKind asLeadingPart() {
    return new MessageKind(role, id, memory, program, label, Parts.LEADING_PART, mayFollow);
  }

  /** The same, as an error that is often only the consequence of another failure. */
  public MessageKind asConsequence() {
    return new MessageKind(role, id, memory, program, label, parts, /* mayFollow= */ true);
  }

  /** The name in JSON. */
  public String id() {
    return id;
  }

  public Memory memory() {
    return memory;
  }

  /** Who was refused, to begin a sentence. */
  public String program() {
    return program;
  }

  /** What the message is, within a sentence. */
  public String label() {
    return label;
  }

  /** Whether a request failed; false for warnings, notices and measurements. */
  public boolean isFailure() {
    return role == Role.FAILURE;
  }

  /** Whether a program did without the memory that was refused. */
  public boolean isWarning() {
    return role == Role.WARNING;
  }

  /** Whether nothing was refused, although the words may look like it. */
  public boolean isNotice() {
    return role == Role.NOTICE;
  }

  /** Whether the message has numbers of the memory, and says nothing that happened. */
  public boolean hasOnlyNumbers() {
    return role == Role.MEASUREMENT || role == Role.CONTEXT;
  }

  /** Whether the message only tells what a program has and has set. */
  public boolean isContext() {
    return role == Role.CONTEXT;
  }

  /** Whether a failure may be told in several messages of which this is one. */
  public boolean mayBePart() {
    return parts != Parts.ONE;
  }

  /** Whether other messages are parts of the failure of this one. */
  public boolean isLeadingPart() {
    return parts == Parts.LEADING_PART;
  }

  /** Whether this error, near another failure, is only its consequence. */
  public boolean mayFollow() {
    return mayFollow;
  }

  @Override
  public String toString() {
    return id;
  }
}
