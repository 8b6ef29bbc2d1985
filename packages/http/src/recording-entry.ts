/** For test fixtures and command lines: recorded responses of the API as seed data. */

export type { ImportRecordingOptions } from './recording/create-seed.ts'
export {
  type ImportedRecording,
  importRecording,
  type SkippedItem,
} from './recording/import-recording.ts'
export { RecordingError } from './recording/recording-error.ts'
