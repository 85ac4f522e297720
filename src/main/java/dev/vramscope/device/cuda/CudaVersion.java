package dev.vramscope.device.cuda;

/** A version of CUDA, such as 13.0. */
public record CudaVersion(int major, int minor) implements Comparable<CudaVersion> {
  /** From the driver's encoding: 13000 is 13.0, 12060 is 12.6. */
  static CudaVersion of(int number) {
    return new CudaVersion(number / 1000, number % 1000 / 10);
  }

  @Override
  public int compareTo(CudaVersion other) {
    return major != other.major
        ? Integer.compare(major, other.major)
        : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
