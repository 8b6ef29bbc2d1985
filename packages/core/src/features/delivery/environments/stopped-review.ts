/** What ends the use of environments: the removal of a branch, or the end of a merge request. */
export type StoppedReview = {
  readonly projectId: number
  /** Null for the host. */
  readonly userId: number | null
} & (
  | { readonly branch: string; readonly mergeRequest?: undefined }
  | { readonly branch?: undefined; readonly mergeRequest: number }
)
