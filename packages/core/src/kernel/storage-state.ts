/** How much is stored, and how much room is left, in bytes. */
export interface StorageState {
  /** The data file, or the PostgreSQL database; null in memory. */
  readonly databaseBytes: number | null
  /** The write-ahead log beside the data file; null for other databases. */
  readonly databaseLogBytes: number | null
  /** Free on the disk of the data file; null for other databases, and where it is unknown. */
  readonly databaseFreeBytes: number | null
  /** Free on the disk of the repositories; null without repositories, and where it is unknown. */
  readonly repositoriesFreeBytes: number | null
  /** The repositories of all projects, as last measured. */
  readonly repositoriesBytes: number
  /** The files of all uploads. */
  readonly uploadsBytes: number
}
