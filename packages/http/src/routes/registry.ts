import {
  type ContainerRepository,
  type ContainerTag,
  type ContainerTagDetail,
  features,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { accepted, empty, one, page } from '../reply/responders.ts'
import { computed, list, optional, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { containerRepositories, containerTags } = features

const tagFields = { name: v.string(), path: v.string(), location: v.string() }

const TagWire = wire<ContainerTag>('ContainerTag')(tagFields)

/** Specification 2, "Container registry". `tags_count` and `tags` only on request. */
const RepositoryWire = wire<ContainerRepository>('ContainerRepository')({
  id: Integer,
  name: v.string(),
  path: v.string(),
  project_id: Integer,
  location: v.string(),
  created_at: DateTime,
  cleanup_policy_started_at: NullableDateTime,
  status: v.nullable(v.picklist(['delete_scheduled', 'delete_ongoing', 'delete_failed'])),
  tags_count: v.optional(Integer),
  tags: optional(list(TagWire)),
})

/** Specification 2, "Container registry". Times of images end with the offset `+00:00`. */
const TagDetailWire = wire<ContainerTagDetail>('ContainerTagDetail')({
  ...tagFields,
  revision: NullableText,
  short_revision: NullableText,
  digest: v.string(),
  created_at: computed(
    NullableDateTime,
    ({ createdAt }: ContainerTagDetail) => createdAt?.replace(/Z$/, '+00:00') ?? null,
  ),
  total_size: NullableInteger,
})

const base = '/projects/:id/registry/repositories'
const repositoryOptions = { names: { repository_id: 'repository' } } satisfies RouteOptions
const tagOptions = { names: { repository_id: 'repository', tag_name: 'tag' } } satisfies RouteOptions

export const registryRoutes = [
  route(`GET ${base}`, containerRepositories.list, page(RepositoryWire)),
  route('GET /groups/:id/registry/repositories', containerRepositories.list, page(RepositoryWire)),
  route('GET /registry/repositories/:id', containerRepositories.get, one(RepositoryWire), {
    extension: true,
    names: { id: 'repository' },
  }),
  route(`DELETE ${base}/:repository_id`, containerRepositories.remove, accepted(), repositoryOptions),
  route(`GET ${base}/:repository_id/tags`, containerTags.list, page(TagWire), repositoryOptions),
  route(`GET ${base}/:repository_id/tags/:tag_name`, containerTags.get, one(TagDetailWire), tagOptions),
  route(`DELETE ${base}/:repository_id/tags/:tag_name`, containerTags.remove, empty(), tagOptions),
  route(`DELETE ${base}/:repository_id/tags`, containerTags.removeMatching, accepted(), repositoryOptions),
]
