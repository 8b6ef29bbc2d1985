import { ReleaseWire } from '../../shapes/release.ts'
import { sliceConnection } from '../connection.ts'
import { itemField, listField } from '../fields.ts'
import type { Json, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

const releaseOrders: Readonly<Record<string, { orderBy: 'released_at' | 'created_at'; sort: 'asc' | 'desc' }>> = {
  RELEASED_AT_ASC: { orderBy: 'released_at', sort: 'asc' },
  RELEASED_AT_DESC: { orderBy: 'released_at', sort: 'desc' },
  CREATED_ASC: { orderBy: 'created_at', sort: 'asc' },
  CREATED_DESC: { orderBy: 'created_at', sort: 'desc' },
}

/** Releases of projects. */
export const releasePart: SchemaPart = {
  types: `
enum ReleaseSort { ${Object.keys(releaseOrders).join(' ')} }

type Release {
  tagName: String! tagPath: String name: String description: String createdAt: Time releasedAt: Time
  upcomingRelease: Boolean author: UserCore commit: Commit assets: ReleaseAssets links: ReleaseLinks
  milestones(${paging}): MilestoneConnection
}
type ReleaseLinks { selfUrl: String editUrl: String }
type ReleaseAssets {
  count: Int
  links(${paging}): ReleaseAssetLinkConnection
  sources(${paging}): ReleaseSourceConnection
}
enum ReleaseAssetLinkType { OTHER RUNBOOK PACKAGE IMAGE }
type ReleaseAssetLink { id: ID! name: String url: String directAssetUrl: String linkType: ReleaseAssetLinkType }
type ReleaseSource { format: String url: String }

extend type Project {
  release(tagName: String!): Release
  releases(sort: ReleaseSort = RELEASED_AT_DESC, ${paging}): ReleaseConnection
}
`,
  resolvers: {
    Project: {
      calls: {
        release: itemField(ReleaseWire, ({ releases }, { id }: WithId, { tagName }: With<{ tagName: string }>) =>
          releases.get({ project: id, tagName }),
        ),
        releases: listField(ReleaseWire, ({ releases }, window, { id }: WithId, { sort }: With<{ sort: string }>) =>
          releases.list({ project: id, ...releaseOrders[sort], ...window }),
        ),
      },
    },
    Release: {
      computed: {
        links: ({ _links: links }) => links,
        milestones: ({ milestones }: With<{ milestones: Json[] }>, args) => sliceConnection(args, milestones),
      },
    },
    ReleaseLinks: { computed: { selfUrl: ({ self }) => self } },
    ReleaseAssets: {
      computed: {
        links: ({ links }: With<{ links: Json[] }>, args) => sliceConnection(args, links),
        sources: ({ sources }: With<{ sources: Json[] }>, args) => sliceConnection(args, sources),
      },
    },
    ReleaseAssetLink: {
      computed: {
        id: ({ id }) => `gid://gitlab/Releases::Link/${id}`,
        linkType: ({ link_type: type }) => String(type).toUpperCase(),
      },
    },
  },
}
