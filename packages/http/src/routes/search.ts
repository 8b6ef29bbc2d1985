import { type FoundFile, features, type SearchPage, searchScopes } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { pageOf } from '../reply/responders.ts'
import { computed, type Wire, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { CommitDetailsWire } from '../shapes/commit.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import { MilestoneWire } from '../shapes/milestone.ts'
import { NoteWire } from '../shapes/note.ts'
import { SimpleProjectWire } from '../shapes/project.ts'
import { SnippetWire } from '../shapes/snippet.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const { search } = features

const FoundFileWire = wire<FoundFile>('FoundFile')({
  basename: v.string(),
  data: v.string(),
  path: v.string(),
  filename: v.string(),
  /** Always null. */
  id: computed(v.null(), () => null),
  ref: v.string(),
  startline: Integer,
  project_id: Integer,
})

// biome-ignore lint/suspicious/noExplicitAny: each scope has items of another type
const wires: { readonly [S in SearchPage['scope']]: Wire<any, any> } = {
  projects: SimpleProjectWire,
  issues: IssueWire,
  merge_requests: MergeRequestWire,
  milestones: MilestoneWire,
  users: UserSummaryWire,
  notes: NoteWire,
  snippet_titles: SnippetWire,
  blobs: FoundFileWire,
  commits: CommitDetailsWire,
}

/** A page of items of the kind that the scope names. */
const searchPage = pageOf<SearchPage, unknown>(Object.values(wires), ({ scope }) => wires[scope])

const getOptions = (place: keyof typeof searchScopes, ...hidden: readonly string[]): RouteOptions => ({
  extension: true,
  accepts: { scope: v.picklist(searchScopes[place]) },
  hidden,
})

export const searchRoutes = [
  route('GET /search', search.list, searchPage, getOptions('instance', 'project', 'group', 'ref')),
  route('GET /groups/:id/search', search.list, searchPage, getOptions('group', 'ref')),
  route('GET /projects/:id/search', search.list, searchPage, getOptions('project')),
]
