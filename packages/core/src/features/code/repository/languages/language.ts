/** A programming language and its part of the code of a repository. */
export interface RepositoryLanguage {
  /** Name as in Linguist, such as `TypeScript`. */
  name: string
  /** Percentage of the bytes of all code, with two decimals. */
  share: number
}
