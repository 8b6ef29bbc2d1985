import type { Page } from '@forgelet/core'
import type { Issue, LabelDetails, MergeRequest, MergeRequestPage } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import type { Reply } from '../reply/reply.ts'
import type { Responder } from '../reply/responders.ts'
import { computed, list, type Shape, type Site, variants, type Wire, wire } from '../reply/wire.ts'
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
const labels = computed(list(LabelDetailsWire), ({ labelDetails = [] }: Issue | MergeRequest) => labelDetails)

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

// biome-ignore lint/suspicious/noExplicitAny: wires have any fields
type AnyWire<S> = Wire<S, any>

/** A responder of pages whose items have one of several shapes. */
const createPage = <P extends Page<S>, S>(
  shapes: readonly Shape[],
  choose: (page: P, item: S) => AnyWire<S>,
): Responder<P> => {
  const shape = variants(shapes, (page: P, site: Site) => page.items.map((item) => choose(page, item)(item, site)))
  return Object.assign((out: P, site: Site): Reply => ({ status: 200, body: shape.map(out, site), page: out }), {
    status: 200,
    shape,
    paged: true as const,
  })
}

/** A page of issues, whose labels are names or objects. */
export const issuePage = createPage<Page<Issue>, Issue>([list(IssueWire), list(IssueWithLabelsWire)], (_page, item) =>
  item.labelDetails ? IssueWithLabelsWire : IssueWire,
)

/** A page of merge requests, whose labels are names or objects, or with only the identifying fields. */
export const mergeRequestPage = createPage<MergeRequestPage, MergeRequest>(
  [list(MergeRequestWire), list(MergeRequestWithLabelsWire), list(SimpleMergeRequestWire)],
  ({ simple }, item) => {
    if (simple) return SimpleMergeRequestWire
    return item.labelDetails ? MergeRequestWithLabelsWire : MergeRequestWire
  },
)
