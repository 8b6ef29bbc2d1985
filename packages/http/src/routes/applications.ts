import { type Application, features, type NewApplication } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { applications } = features

const applicationFields = {
  id: Integer,
  application_id: v.string(),
  /** Name that the consent page shows. */
  application_name: computed(v.string(), ({ name }: Application) => name),
  /** URIs to which users return after they have signed in, separated by line breaks. */
  callback_url: computed(v.string(), ({ redirectUris }: Application) => redirectUris.join('\n')),
  confidential: v.boolean(),
}

/** An OAuth application, without its secret. */
const ApplicationWire = wire<Application>('Application')(applicationFields)

/** A new OAuth application, with its secret. */
const NewApplicationWire = wire<NewApplication>('NewApplication')({
  ...applicationFields,
  secret: v.string(),
})

const extension = { extension: true } satisfies RouteOptions

export const applicationRoutes = [
  route('GET /applications', applications.list, page(ApplicationWire), extension),
  route('POST /applications', applications.create, one(NewApplicationWire), {
    ...extension,
    hidden: ['applicationId', 'secret'],
  }),
  route('POST /applications/:id/renew-secret', applications.rotateSecret, one(NewApplicationWire), {
    ...extension,
    names: { id: 'application' },
    creates: false,
  }),
  route('DELETE /applications/:id', applications.remove, empty(), { ...extension, names: { id: 'application' } }),
]
