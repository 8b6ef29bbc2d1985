import { features, type Topic } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { organizationIdField } from '../shapes/organization.ts'

const { topics } = features

/** A subject of projects. */
const TopicWire = wire<Topic>('Topic')({
  id: Integer,
  name: v.string(),
  title: v.string(),
  description: NullableText,
  total_projects_count: Integer,
  /** Always null: topics have no pictures. */
  avatar_url: computed(v.null(), () => null),
  /** Id of the organization: 1, because an instance is one organization. */
  organization_id: organizationIdField,
})

const extension = { extension: true } satisfies RouteOptions
const topicOptions = { ...extension, names: { id: 'topic' } } satisfies RouteOptions

export const topicRoutes = [
  route('GET /topics', topics.list, page(TopicWire), extension),
  route('POST /topics', topics.create, one(TopicWire), extension),
  route('POST /topics/merge', topics.merge, one(TopicWire), extension),
  route('GET /topics/:id', topics.get, one(TopicWire), topicOptions),
  route('PUT /topics/:id', topics.update, one(TopicWire), topicOptions),
  route('DELETE /topics/:id', topics.remove, empty(), topicOptions),
]
