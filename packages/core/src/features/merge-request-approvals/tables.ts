export interface MergeRequestApprovalTables {
  /** Somebody approves of a merge request. */
  mergeRequestApproval: { mergeRequestId: number; userId: number; createdAt: string }
}
