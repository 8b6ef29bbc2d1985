import type { HookEvent } from './hook.ts'

interface EventKindDefinition {
  /** The flags each of which is sufficient to receive the event; empty for events that every system hook receives. */
  readonly flags: readonly HookEvent[]
  /** Value of `X-Gitlab-Event` for hooks of projects and groups. */
  readonly header: string
  /** Name in the delivery log. */
  readonly trigger: string
}

/**
 * The kinds of events, with the names in the headers of GitLab. A new kind is one entry here and one reaction in
 * `reactions.ts`.
 */
const definitions = {
  push: { flags: ['pushEvents'], header: 'Push Hook', trigger: 'push_hooks' },
  tagPush: { flags: ['tagPushEvents'], header: 'Tag Push Hook', trigger: 'tag_push_hooks' },
  issue: { flags: ['issuesEvents'], header: 'Issue Hook', trigger: 'issue_hooks' },
  confidentialIssue: {
    flags: ['confidentialIssuesEvents'],
    header: 'Confidential Issue Hook',
    trigger: 'confidential_issue_hooks',
  },
  note: { flags: ['noteEvents'], header: 'Note Hook', trigger: 'note_hooks' },
  confidentialNote: {
    flags: ['confidentialNoteEvents'],
    header: 'Confidential Note Hook',
    trigger: 'confidential_note_hooks',
  },
  mergeRequest: { flags: ['mergeRequestsEvents'], header: 'Merge Request Hook', trigger: 'merge_request_hooks' },
  release: { flags: ['releasesEvents'], header: 'Release Hook', trigger: 'release_hooks' },
  featureFlag: { flags: ['featureFlagEvents'], header: 'Feature Flag Hook', trigger: 'feature_flag_hooks' },
  wikiPage: { flags: ['wikiPageEvents'], header: 'Wiki Page Hook', trigger: 'wiki_page_hooks' },
  deployment: { flags: ['deploymentEvents'], header: 'Deployment Hook', trigger: 'deployment_hooks' },
  pipeline: { flags: ['pipelineEvents'], header: 'Pipeline Hook', trigger: 'pipeline_hooks' },
  job: { flags: ['jobEvents'], header: 'Job Hook', trigger: 'job_hooks' },
  member: { flags: ['memberEvents'], header: 'Member Hook', trigger: 'member_hooks' },
  subgroup: { flags: ['subgroupEvents'], header: 'Subgroup Hook', trigger: 'subgroup_hooks' },
  milestone: { flags: ['milestoneEvents'], header: 'Milestone Hook', trigger: 'milestone_hooks' },
  emoji: { flags: ['emojiEvents'], header: 'Emoji Hook', trigger: 'emoji_hooks' },
  repositoryUpdate: {
    flags: ['repositoryUpdateEvents'],
    header: 'System Hook',
    trigger: 'repository_update_hooks',
  },
  system: { flags: [], header: 'System Hook', trigger: 'system_hooks' },
} as const satisfies Record<string, EventKindDefinition>

export type EventKind = keyof typeof definitions

export const eventKinds: Readonly<Record<EventKind, EventKindDefinition>> = definitions

/** Whether a hook with these flags receives events of a kind. */
export const receives = (events: readonly HookEvent[], kind: EventKind): boolean => {
  const { flags } = eventKinds[kind]
  return flags.length === 0 || flags.some((flag) => events.includes(flag))
}
