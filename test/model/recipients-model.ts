/** Who is notified of an event, computed from plain sets. */

export const users = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'] as const
export type User = (typeof users)[number]
export const items = ['open', 'secret', 'change'] as const
export type Item = (typeof items)[number]
/** Where a setting applies, the nearest first. */
export const scopes = ['app', 'sub', 'top', 'global'] as const
export type Scope = (typeof scopes)[number]
export type Level = 'disabled' | 'mention' | 'participating' | 'watch' | 'custom' | 'global'
export type Reason = 'mentioned' | 'assigned' | 'participating' | 'subscribed' | 'watching' | 'custom'

interface Setting {
  readonly level: Level
  readonly events: ReadonlyMap<string, boolean>
}

export interface Question {
  readonly item: Item
  readonly event: string
  readonly mentioned: readonly User[]
  /** A mentioned group. */
  readonly group: 'top' | 'sub' | undefined
  readonly labels: readonly string[] | undefined
  readonly actor: User | undefined
  readonly note: { readonly author: User; readonly internal: boolean } | undefined
  /** Users who were assigned until the event. */
  readonly former?: readonly User[]
}

const authors = { open: 'ann', secret: 'ben', change: 'cat' } as const satisfies Record<Item, User>
const itemLabels = { open: ['bug', 'ops'], secret: ['bug'], change: ['ops'] } as const satisfies Record<Item, string[]>

class RecipientsModel {
  readonly members = { top: new Map<User, number>(), sub: new Map<User, number>(), app: new Map<User, number>() }
  readonly settings: Readonly<Record<Scope, Map<User, Setting>>> = {
    app: new Map(),
    sub: new Map(),
    top: new Map(),
    global: new Map(),
  }
  /** Explicit subscriptions (true) and their ends (false). */
  readonly choices = {
    open: new Map<User, boolean>(),
    secret: new Map<User, boolean>(),
    change: new Map<User, boolean>(),
  }
  readonly commenters = { open: new Set<User>(), secret: new Set<User>(), change: new Set<User>() }
  assignees = { open: new Set<User>(), secret: new Set<User>(), change: new Set<User>() }
  reviewers = new Set<User>()
  readonly labelSubscribers = { bug: new Set<User>(), ops: new Set<User>() }
  readonly blocked = new Set<User>()
  readonly silenced = new Set<'top' | 'sub' | 'app'>()
  readonly unmentionable = new Set<'top' | 'sub'>()
  readonly membersOnly = { issue: false, mergeRequest: false }
  visibility: 'private' | 'internal' | 'public' = 'public'

  levelOf(user: User): number {
    return Math.max(...Object.values(this.members).map((levels) => levels.get(user) ?? 0))
  }

  canReadProject(user: User): boolean {
    return this.visibility !== 'private' || this.levelOf(user) > 0
  }

  canRead(user: User, item: Item): boolean {
    if (!this.canReadProject(user)) return false
    if (this.membersOnly[item === 'change' ? 'mergeRequest' : 'issue'] && this.levelOf(user) === 0) return false
    // Guests do not see the code of a private project.
    if (item === 'change') return this.visibility !== 'private' || this.levelOf(user) >= 20
    if (item === 'open') return true
    return this.levelOf(user) >= 20 || authors.secret === user || this.assignees.secret.has(user)
  }

  /** The nearest setting that is not `global`. */
  private settingOf(user: User): Setting {
    const stored = scopes.map((scope) => this.settings[scope].get(user))
    return stored.find((one) => one && one.level !== 'global') ?? { level: 'participating', events: new Map() }
  }

  /** Whether a setting makes the user see everything: one of the project or a group above, or a global one of a member. */
  private isWatching(user: User): boolean {
    const { level } = this.settingOf(user)
    if (level !== 'watch' && level !== 'custom') return false
    const isLocal = (['app', 'sub', 'top'] as const).some((scope) => this.settings[scope].get(user)?.level === level)
    return isLocal || this.levelOf(user) > 0
  }

  private isSubscribed(user: User, { item, event, labels }: Question): boolean {
    const isLabeling = event === 'relabel' || event === 'newIssue' || event === 'newMergeRequest'
    const byLabel = itemLabels[item].some(
      (label) => this.labelSubscribers[label].has(user) && (labels?.includes(label) ?? true),
    )
    return (isLabeling && byLabel) || (event !== 'relabel' && this.choices[item].get(user) === true)
  }

  private isMentioned(user: User, { mentioned, group }: Question): boolean {
    if (mentioned.includes(user)) return true
    return group !== undefined && !this.unmentionable.has(group) && (this.members[group].get(user) ?? 0) > 0
  }

  private findReason(user: User, question: Question): Reason | undefined {
    const { item, event } = question
    const { level, events } = this.settingOf(user)
    if (level === 'disabled') return undefined
    const hasUnsubscribed = this.choices[item].get(user) === false
    if (event === 'relabel') return !hasUnsubscribed && this.isSubscribed(user, question) ? 'subscribed' : undefined
    if (this.isMentioned(user, question)) return 'mentioned'
    if (hasUnsubscribed) return undefined
    if (level !== 'mention') {
      if (this.assignees[item].has(user)) return 'assigned'
      if (authors[item] === user || this.commenters[item].has(user)) return 'participating'
      if (question.former?.includes(user)) return 'participating'
      if (item === 'change' && this.reviewers.has(user)) return 'participating'
    }
    if (this.isSubscribed(user, question)) return 'subscribed'
    if (!this.isWatching(user)) return undefined
    if (level === 'watch') return event === 'issueDue' || event === 'pushToMergeRequest' ? undefined : 'watching'
    return events.get(event) ? 'custom' : undefined
  }

  findRecipients(question: Question): Map<User, Reason> {
    const recipients = new Map<User, Reason>()
    if (this.silenced.size > 0) return recipients
    for (const user of users) {
      if (user === question.actor || this.blocked.has(user) || !this.canRead(user, question.item)) continue
      const { note } = question
      if (note?.internal && this.levelOf(user) < 20 && note.author !== user) continue
      const reason = this.findReason(user, question)
      if (reason) recipients.set(user, reason)
    }
    return recipients
  }
}

export const createRecipientsModel = () => new RecipientsModel()
