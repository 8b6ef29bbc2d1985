import {
  type ContainerRepository,
  type ContainerTag,
  type ContainerTagDetail,
  features,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { accepted, empty, one, page } from '../send.ts'
import { computed, type Site, wire } from '../wire.ts'

const { containerRepositories, containerTags } = features

const tag = { name: v.string(), path: v.string(), location: v.string() }

const TagWire = wire<ContainerTag>()(tag)

/** Specification 2, "Container registry". Each of the last two is there only where it was asked for. */
const RepositoryWire = wire<ContainerRepository>()({
  id: v.number(),
  name: v.string(),
  path: v.string(),
  project_id: v.number(),
  location: v.string(),
  created_at: v.string(),
  tags_count: computed(v.optional(v.number()), ({ tagsCount }: ContainerRepository) => tagsCount),
  tags: computed(v.optional(v.array(v.object(tag))), ({ tags }: ContainerRepository, site: Site) =>
    tags?.map((one) => TagWire(one, site)),
  ),
})

/** Specification 2, "Container registry". Times of images are written with an offset, which is always that of UTC. */
const TagDetailWire = wire<ContainerTagDetail>()({
  ...tag,
  revision: v.nullable(v.string()),
  short_revision: v.nullable(v.string()),
  digest: v.string(),
  created_at: computed(
    v.nullable(v.string()),
    ({ createdAt }: ContainerTagDetail) => createdAt?.replace(/Z$/, '+00:00') ?? null,
  ),
  total_size: v.nullable(v.number()),
})

const base = '/projects/:id/registry/repositories'
const inRepository = { names: { repository_id: 'repository' } }
const tagged = { names: { repository_id: 'repository', tag_name: 'tag' } }

export const registryRoutes = [
  route(`GET ${base}`, containerRepositories.list, page(RepositoryWire)),
  route('GET /groups/:id/registry/repositories', containerRepositories.list, page(RepositoryWire)),
  route(`DELETE ${base}/:repository_id`, containerRepositories.remove, accepted(), inRepository),
  route(`GET ${base}/:repository_id/tags`, containerTags.list, page(TagWire), inRepository),
  route(`GET ${base}/:repository_id/tags/:tag_name`, containerTags.get, one(TagDetailWire), tagged),
  route(`DELETE ${base}/:repository_id/tags/:tag_name`, containerTags.remove, empty(), tagged),
  route(`DELETE ${base}/:repository_id/tags`, containerTags.removeMatching, accepted(), inRepository),
]
