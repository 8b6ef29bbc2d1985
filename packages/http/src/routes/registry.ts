import {
  type ContainerRepository,
  type ContainerTag,
  type ContainerTagDetail,
  features,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { accepted, empty, one, page } from '../reply/responders.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { containerRepositories, containerTags } = features

const tagFields = { name: v.string(), path: v.string(), location: v.string() }

const TagWire = wire<ContainerTag>()(tagFields)

/** Specification 2, "Container registry". `tags_count` and `tags` only on request. */
const RepositoryWire = wire<ContainerRepository>()({
  id: v.number(),
  name: v.string(),
  path: v.string(),
  project_id: v.number(),
  location: v.string(),
  created_at: v.string(),
  tags_count: computed(v.optional(v.number()), ({ tagsCount }: ContainerRepository) => tagsCount),
  tags: computed(v.optional(v.array(v.object(tagFields))), ({ tags }: ContainerRepository, site: Site) =>
    tags?.map((tag) => TagWire(tag, site)),
  ),
})

/** Specification 2, "Container registry". Times of images end with the offset `+00:00`. */
const TagDetailWire = wire<ContainerTagDetail>()({
  ...tagFields,
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
const repositoryOptions = { names: { repository_id: 'repository' } } satisfies RouteOptions
const tagOptions = { names: { repository_id: 'repository', tag_name: 'tag' } } satisfies RouteOptions

export const registryRoutes = [
  route(`GET ${base}`, containerRepositories.list, page(RepositoryWire)),
  route('GET /groups/:id/registry/repositories', containerRepositories.list, page(RepositoryWire)),
  route(`DELETE ${base}/:repository_id`, containerRepositories.remove, accepted(), repositoryOptions),
  route(`GET ${base}/:repository_id/tags`, containerTags.list, page(TagWire), repositoryOptions),
  route(`GET ${base}/:repository_id/tags/:tag_name`, containerTags.get, one(TagDetailWire), tagOptions),
  route(`DELETE ${base}/:repository_id/tags/:tag_name`, containerTags.remove, empty(), tagOptions),
  route(`DELETE ${base}/:repository_id/tags`, containerTags.removeMatching, accepted(), repositoryOptions),
]
