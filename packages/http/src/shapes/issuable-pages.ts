import type { Page } from '@forgelet/core'
import type { Epic, Issue, LabelDetails, MergeRequest, MergeRequestPage } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { pageOf } from '../reply/responders.ts'
import { computed, list, wire } from '../reply/wire.ts'
import { EpicWire } from './epic.ts'
import { issuableFields, webUrl } from './issuable.ts'
import { IssueWire } from './issue.ts'
import { MergeRequestWire } from './merge-request.ts'

const LabelDetailsWire = wire<LabelDetails>('LabelDetails')({
  id: Integer,
  name: v.string(),
  color: v.string(),
  text_color: v.string(),
  description: NullableText,
  description_html: v.string(),
})

/** The labels of an item as objects, for lists with `with_labels_details`. */
const labels = computed(list(LabelDetailsWire), ({ labelDetails = [] }: Issue | MergeRequest | Epic) => labelDetails)

const IssueWithLabelsWire = wire<Issue>('IssueWithLabels')({ ...IssueWire.fields, labels })

const MergeRequestWithLabelsWire = wire<MergeRequest>('MergeRequestWithLabels')({ ...MergeRequestWire.fields, labels })

const { id, iid, project_id, title, description, state, created_at, updated_at } = issuableFields

/** A merge request of a list with `view=simple`. */
const SimpleMergeRequestWire = wire<MergeRequest>('SimpleMergeRequest')({
  id,
  iid,
  project_id,
  title,
  description,
  state,
  created_at,
  updated_at,
  /** URL of the merge request's page. */
  web_url: webUrl('merge_requests'),
})

/** A page of issues. Their labels are names or objects. */
export const issuePage = pageOf<Page<Issue>, Issue>([IssueWire, IssueWithLabelsWire], (_page, item) =>
  item.labelDetails ? IssueWithLabelsWire : IssueWire,
)

const EpicWithLabelsWire = wire<Epic>('EpicWithLabels')({ ...EpicWire.fields, labels })

/** A page of epics. Their labels are names or objects. */
export const epicPage = pageOf<Page<Epic>, Epic>([EpicWire, EpicWithLabelsWire], (_page, item) =>
  item.labelDetails ? EpicWithLabelsWire : EpicWire,
)

/** A page of merge requests. Their labels are names or objects, or they have only the identifying fields. */
export const mergeRequestPage = pageOf<MergeRequestPage, MergeRequest>(
  [MergeRequestWire, MergeRequestWithLabelsWire, SimpleMergeRequestWire],
  ({ simple }, item) => {
    if (simple) return SimpleMergeRequestWire
    return item.labelDetails ? MergeRequestWithLabelsWire : MergeRequestWire
  },
)
