/** The text is not a recording in a supported format, or it exceeds a limit. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}
