import { features, type Topic } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { avatarUrlField } from '../shapes/avatar-url.ts'
import { organizationIdField } from '../shapes/organization.ts'
import { avatarOptions, readEmptyAvatar } from './avatars.ts'

const { topics } = features

/** A subject of projects. */
const TopicWire = wire<Topic>('Topic')({
  id: Integer,
  name: v.string(),
  title: v.string(),
  description: NullableText,
  total_projects_count: Integer,
  avatar_url: avatarUrlField,
  /** Id of the organization: 1, because an instance is one organization. */
  organization_id: organizationIdField,
})

const extension = { extension: true } satisfies RouteOptions
const pictured = { ...extension, ...avatarOptions, rewrite: readEmptyAvatar } satisfies RouteOptions
const topicOptions = { ...extension, names: { id: 'topic' } } satisfies RouteOptions

export const topicRoutes = [
  route('GET /topics', topics.list, page(TopicWire), extension),
  route('POST /topics', topics.create, one(TopicWire), pictured),
  route('POST /topics/merge', topics.merge, one(TopicWire), extension),
  route('GET /topics/:id', topics.get, one(TopicWire), topicOptions),
  route('PUT /topics/:id', topics.update, one(TopicWire), { ...topicOptions, ...pictured }),
  route('DELETE /topics/:id', topics.remove, empty(), topicOptions),
]
