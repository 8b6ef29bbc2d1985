export interface MergeRequestApprovalTables {
  mergeRequestApproval: { mergeRequestId: number; userId: number; createdAt: string }
}
