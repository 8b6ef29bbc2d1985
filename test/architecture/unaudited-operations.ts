/** Commands that are not recorded as audit events: a pattern of their names, and why. */
export const unauditedOperations: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(issues|issueLinks|epics|childEpics|epicIssues|boards|boardLists|labels|milestones|notes|discussions|draftNotes|suggestions|commitComments|snippets|wikis|uploads|awardEmoji|timeTracking|badges)\./,
    'content, whose authors and changes it shows itself',
  ],
  [
    /^(mergeRequests|mergeRequestApprovals)\./,
    'the merge request shows who changed and approved it; its merge is recorded',
  ],
  [
    /^(branches|tags|commits|repositoryFiles|repository|gitTransport|events)\./,
    'the history of the repository and the activity of the project show pushes',
  ],
  [/^forks\.link$/, 'the project shows what it was forked from'],
  [
    /^(pipelines|pipelineJobs|pipelineSchedules|commitStatuses|deployments|environments)\./,
    'the pipeline shows who ran it',
  ],
  [/^pipelineTriggers\.(update|run)$/, 'the pipeline shows its trigger; an update changes a description only'],
  [/^runners\.(update|verify|takeJob)$/, 'calls of runners, and settings that select their jobs'],
  [/^(packages|packageFiles|containerRepositories|containerTags|dependencies)\./, 'published by pipelines'],
  [
    /^(releaseLinks|releaseEvidences|secureFiles|freezePeriods|errorTracking|featureFlagUserLists|pagesDomains|pagesSites)\.|^featureFlags\.rotateClientToken$/,
    'settings of a project that give no user access',
  ],
  [/^(subscriptions|todos|notificationSettings|notifications|userStatuses)\.|^projects\.(star|unstar)$/, 'personal'],
  [/^applications\.revoke$/, 'ends access of an application that the user gave'],
  [/^users\.(follow|unfollow|updatePreferences|setAvatar)$/, 'personal'],
  [
    /^(passwords\.(startSession|endSession|verify)|emails\.confirm|keys\.recordUse|terms\.accept|oauthProvider\..*|sso\.resolveUser)$/,
    'steps of signing in',
  ],
  [/^(remoteMirrors|pullMirrors)\.sync$/, 'works with a recorded mirror'],
  [/^projects\.measure$/, 'reported by the host'],
  [/^replicaNodes\./, 'reported by replicas'],
  [/^(broadcastMessages|appearances|topics|customAttributes)\./, 'shown to users, without effect on access'],
  [/^accessRequests\.(create|remove)$/, 'a request gives no access; its approval is recorded'],
  [/^invitations\.(update|remove)$/, 'an invitation gives no access until it is accepted'],
  [
    /^(members\.sync|sso\.(un)?linkIdentity|sso\.updateIdentity|scim\.(replace|patch|remove))$/,
    'changes by a directory, which records them',
  ],
  [
    /^hooks\.(set|remove)(CustomHeader|UrlVariable)$|^hooks\.(resend|test)$/,
    'secrets and requests of a recorded webhook',
  ],
]
