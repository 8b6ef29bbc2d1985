import { getTextColor, type LinkedIssue } from '@forgelet/core/operations'
import { IssueWire } from '../../shapes/issue.ts'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { sliceConnection } from '../connection.ts'
import { listField } from '../fields.ts'
import type { Item } from '../references.ts'
import type { GraphqlContext, Resolver, With } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readAwards } from './award-emoji.ts'
import { issuableComputed, type Timed } from './issuable-fields.ts'
import { readEpicLabels, readIssuableLabels } from './labels.ts'
import { noteArguments, readDiscussions, readNotes } from './notes.ts'
import { formatWidgetName, getWorkItemType } from './work-item-types.ts'

/** The widgets of an issue or epic: its fields, and the type of the widget. */
export const getWidgets: Resolver = (item, { onlyTypes }: With<{ onlyTypes?: readonly string[] | null }>) =>
  getWorkItemType(item)
    .widgets.filter((type) => onlyTypes?.includes(type) ?? true)
    .map((type) => ({ ...item, type, __typename: `WorkItemWidget${formatWidgetName(type)}` }))

const toIssueReference = ({ project_id: project, iid: issue }: Item) => ({ project, issue })

/** The issues that an issue is linked to: the first 100. */
const readLinks = async (item: Item, { session }: GraphqlContext) =>
  (await session.issueLinks.list({ ...toIssueReference(item), perPage: 100 })).items

const countLinks =
  (linkType: LinkedIssue['linkType']): Resolver =>
  async (item: Item, _args, context) =>
    (await readLinks(item, context)).filter((link) => link.linkType === linkType).length

const noItems: Resolver = (_source, args) => sliceConnection(args, [])

const readLabels: Resolver = (item, args, context) =>
  (item.group_id === undefined ? readIssuableLabels('issues') : readEpicLabels)(item, args, context)

const widget = (name: string, fields: string) =>
  `type WorkItemWidget${name} implements WorkItemWidget { type: WorkItemWidgetType ${fields} }\n`

/** Parts of work items that depend on their kind. */
export const workItemWidgetPart: SchemaPart = {
  types: `
enum WorkItemWidgetType {
  ASSIGNEES AWARD_EMOJI COLOR CRM_CONTACTS CURRENT_USER_TODOS CUSTOM_FIELDS DESCRIPTION DESIGNS DEVELOPMENT EMAIL_PARTICIPANTS
  ERROR_TRACKING HEALTH_STATUS HIERARCHY ITERATION LABELS LINKED_ITEMS LINKED_RESOURCES MILESTONE NOTES NOTIFICATIONS
  PARTICIPANTS PROGRESS REQUIREMENT_LEGACY ROLLEDUP_DATES START_AND_DUE_DATE STATUS TEST_REPORTS TIME_TRACKING VERIFICATION_STATUS
  VULNERABILITIES WEIGHT
}
enum WorkItemDiscussionsSort { CREATED_ASC CREATED_DESC }

interface WorkItemWidget { type: WorkItemWidgetType }

type LinkedWorkItemType { linkId: ID! linkType: String! linkCreatedAt: Time linkUpdatedAt: Time workItem: WorkItem }
type WorkItemClosingMergeRequest { mergeRequest: MergeRequest }

${widget('Assignees', `assignees(${paging}): UserCoreConnection`)}
${widget('AwardEmoji', `awardEmoji(${paging}): AwardEmojiConnection upvotes: Int downvotes: Int`)}
${widget('Color', 'color: String textColor: String')}
${widget('Description', 'description: String')}
${widget(
  'Development',
  `relatedMergeRequests(${paging}): MergeRequestConnection closingMergeRequests(${paging}): WorkItemClosingMergeRequestConnection
  "Always false." willAutoCloseByMergeRequest: Boolean!
  "Always empty." relatedBranches(${paging}): WorkItemRelatedBranchConnection
  "Always empty." featureFlags(${paging}): FeatureFlagConnection`,
)}
${widget(
  'Hierarchy',
  `"Always false." hasChildren: Boolean! "Always false." hasParent: Boolean! "Always null." parent: WorkItem
  "Always empty." children(${paging}): WorkItemConnection`,
)}
${widget('Labels', `labels(${paging}): LabelConnection`)}
${widget(
  'LinkedItems',
  `blocked: Boolean blockedByCount: Int blockingCount: Int linkedItems(${paging}): LinkedWorkItemTypeConnection`,
)}
${widget('Milestone', 'milestone: Milestone')}
${widget(
  'Notes',
  `discussionLocked: Boolean notes(${noteArguments}): NoteConnection
  discussions("Only ALL_NOTES." filter: NotesFilterType = ALL_NOTES, sort: WorkItemDiscussionsSort = CREATED_ASC, ${paging}): DiscussionConnection`,
)}
${widget('StartAndDueDate', 'startDate: Date dueDate: Date isFixed: Boolean')}
${widget('TimeTracking', 'timeEstimate: Int totalTimeSpent: Int humanReadableAttributes: WorkItemHumanReadableTimes')}
${widget('Weight', 'weight: Int "Always null." rolledUpWeight: Int "Always null." rolledUpCompletedWeight: Int')}
type WorkItemHumanReadableTimes { timeEstimate: String totalTimeSpent: String }
`,
  resolvers: {
    WorkItemWidgetAssignees: { computed: { assignees: issuableComputed.assignees } },
    WorkItemWidgetAwardEmoji: { calls: { awardEmoji: readAwards } },
    WorkItemWidgetColor: { computed: { textColor: ({ color }) => getTextColor(String(color)) } },
    WorkItemWidgetStartAndDueDate: { computed: { isFixed: ({ start_date_is_fixed: isFixed }) => isFixed } },
    WorkItemWidgetDevelopment: {
      computed: { willAutoCloseByMergeRequest: () => false, relatedBranches: noItems, featureFlags: noItems },
      calls: {
        relatedMergeRequests: listField(MergeRequestWire, ({ mergeRequests }, window, item: Item) =>
          mergeRequests.listRelated({ ...toIssueReference(item), ...window }),
        ),
        closingMergeRequests: listField(
          (mergeRequest: Parameters<typeof MergeRequestWire>[0], site) => ({
            merge_request: MergeRequestWire(mergeRequest, site),
          }),
          ({ mergeRequests }, window, item: Item) =>
            mergeRequests.listClosing({ ...toIssueReference(item), ...window }),
        ),
      },
    },
    WorkItemWidgetHierarchy: {
      computed: { hasChildren: () => false, hasParent: () => false, parent: () => null, children: noItems },
    },
    WorkItemWidgetLabels: { calls: { labels: readLabels } },
    WorkItemWidgetLinkedItems: {
      calls: {
        blocked: async (item: Item, _args, context) =>
          (await readLinks(item, context)).some(({ linkType }) => linkType === 'is_blocked_by'),
        blockedByCount: countLinks('is_blocked_by'),
        blockingCount: countLinks('blocks'),
        linkedItems: listField(
          (issue: LinkedIssue, site) => ({
            link_id: `gid://gitlab/WorkItems::RelatedWorkItemLink/${issue.issueLinkId}`,
            link_type: issue.linkType,
            link_created_at: issue.linkCreatedAt,
            link_updated_at: issue.linkUpdatedAt,
            work_item: IssueWire(issue, site),
          }),
          ({ issueLinks }, window, item: Item) => issueLinks.list({ ...toIssueReference(item), ...window }),
        ),
      },
    },
    WorkItemWidgetWeight: { computed: { rolledUpWeight: () => null, rolledUpCompletedWeight: () => null } },
    WorkItemWidgetNotes: { calls: { notes: readNotes, discussions: readDiscussions } },
    WorkItemWidgetTimeTracking: {
      computed: {
        timeEstimate: issuableComputed.timeEstimate,
        totalTimeSpent: issuableComputed.totalTimeSpent,
        humanReadableAttributes: ({ time_stats: stats }: Timed) => ({
          time_estimate: stats.human_time_estimate,
          total_time_spent: stats.human_total_time_spent,
        }),
      },
    },
  },
}
