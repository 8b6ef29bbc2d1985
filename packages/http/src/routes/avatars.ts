import { features } from '@forgelet/core/operations'
import { one } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import type { Parameters } from '../request/parameters.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { avatarUrlField } from '../shapes/avatar-url.ts'
import { picture } from '../shapes/picture.ts'
import { ManagedUserWire } from '../shapes/user-detail.ts'

const { avatars, users } = features

/** Where the picture of a person is. */
const AvatarWire = wire<{ readonly avatarUrl: string | null }>('Avatar')({
  /** URL of the picture: of this site for an uploaded picture, otherwise a Gravatar or generated pattern, or null. */
  avatar_url: avatarUrlField,
})

/** For routes that accept a picture as a file; an empty field removes it. */
export const avatarOptions = { files: ['avatar'] } satisfies RouteOptions

export const readEmptyAvatar = (parameters: Parameters): Parameters =>
  parameters.avatar === '' ? { ...parameters, avatar: null } : parameters

const extension = { extension: true } satisfies RouteOptions
const fileName = { filename: 'fileName' }
const pictures = '/uploads/-/system'

export const avatarRoutes = [
  route('GET /avatar', avatars.find, one(AvatarWire), extension),
  route('PUT /user/avatar', users.setAvatar, one(ManagedUserWire), {
    ...extension,
    ...avatarOptions,
    rewrite: readEmptyAvatar,
  }),
  route('GET /projects/:id/avatar', avatars.get, picture, {
    ...extension,
    hidden: ['group', 'user', 'topic', 'fileName'],
  }),
  route('GET /groups/:id/avatar', avatars.get, picture, {
    ...extension,
    hidden: ['project', 'user', 'topic', 'fileName'],
  }),
  /** The URLs of uploaded pictures. */
  route(`GET ${pictures}/user/avatar/:id/:filename`, avatars.get, picture, {
    ...extension,
    hidden: ['project', 'group', 'topic'],
    names: { id: 'user', ...fileName },
  }),
  route(`GET ${pictures}/project/avatar/:id/:filename`, avatars.get, picture, {
    ...extension,
    hidden: ['group', 'user', 'topic'],
    names: { id: 'project', ...fileName },
  }),
  route(`GET ${pictures}/group/avatar/:id/:filename`, avatars.get, picture, {
    ...extension,
    hidden: ['project', 'user', 'topic'],
    names: { id: 'group', ...fileName },
  }),
  route(`GET ${pictures}/projects/topic/avatar/:id/:filename`, avatars.get, picture, {
    ...extension,
    hidden: ['project', 'group', 'user'],
    names: { id: 'topic', ...fileName },
  }),
]
