import fc from 'fast-check'

/** A user as the model knows it. */
export interface ModelUser {
  linked: boolean
  /** Whether the group provisioned the user, so that its provider manages the profile. */
  readonly managed: boolean
  externUid: string
  username: string
  name: string
  givenName: string | null
  familyName: string | null
  email: string
}

/** Attributes as operations set them. */
type Field = 'externUid' | 'username' | 'formatted' | 'displayName' | 'givenName' | 'familyName' | 'email' | 'active'
type Draft = Partial<Record<Field, string | boolean>>

/** The outcome of a request: applied, not found, or the reason of the error. */
export type Outcome = 'ok' | 'not_found' | 'conflict' | string

/** One operation of a PATCH with its documented effect. */
interface ModelOperation {
  readonly request: unknown
  /** Sets these attributes, or fails with this `scimType`. */
  readonly effect: Draft | string
}

export interface ModelPatch {
  readonly kind: 'patch'
  readonly user: number
  readonly operations: readonly ModelOperation[]
}

export interface ModelPut {
  readonly kind: 'put'
  readonly user: number
  readonly resource: Readonly<Record<string, unknown>>
}

/** Links a deactivated user again, by its e-mail address and with a new external UID. */
export interface ModelRelink {
  readonly kind: 'relink'
  readonly user: number
}

export type ModelCommand = ModelPatch | ModelPut | ModelRelink

const pools = {
  externUid: ['uid-1', 'UID-1', 'uid-2', 'Linked-A', 'olga-1'],
  username: ['ann', 'ANN', 'bea@example.com', 'cat', 'stranger', 'linked@example.com'],
  email: ['a@example.com', 'A@example.com', 'b@example.com', 'STRANGER@example.com', 'linked@example.com'],
  formatted: ['Ann Lee', 'Quinn', 'Linked Person'],
  displayName: ['Shown', 'Ann Lee'],
  givenName: ['Ann', 'Bea', ''],
  familyName: ['Lee', 'Diaz', ''],
} as const

const paths = {
  externUid: ['externalId', 'id', 'EXTERNALID'],
  username: ['userName', 'urn:ietf:params:scim:schemas:core:2.0:User:userName'],
  email: ['emails.value', 'emails[type eq "work"].value', 'emails[primary eq True].value', 'emails'],
  formatted: ['name.formatted', 'Name.Formatted'],
  displayName: ['displayName'],
  givenName: ['name.givenName'],
  familyName: ['name.familyName'],
} as const

type TextField = keyof typeof pools

const assignment = fc.constantFrom(...(Object.keys(pools) as TextField[])).chain((field) =>
  fc.record({
    field: fc.constant(field),
    path: fc.constantFrom<string>(...paths[field]),
    value: fc.constantFrom<string>(...pools[field]),
  }),
)

const action = fc.constantFrom('add', 'Replace', 'REPLACE')

const withPath = fc.record({ action, assignment }).map(
  ({ action, assignment: { field, path, value } }): ModelOperation => ({
    request: { op: action, path, value },
    effect: { [field]: value },
  }),
)

/** Several attributes in one value; `id` and `externalId` are the same attribute, so each occurs once. */
const withoutPath = fc
  .record({ action, assignments: fc.uniqueArray(assignment, { selector: ({ field }) => field, minLength: 1 }) })
  .map(
    ({ action, assignments }): ModelOperation => ({
      request: {
        op: action,
        value: Object.fromEntries([['nickName', 'ignored'], ...assignments.map(({ path, value }) => [path, value])]),
      },
      effect: Object.fromEntries(assignments.map(({ field, value }) => [field, value])),
    }),
  )

const activation = fc
  .constantFrom<readonly [unknown, boolean]>([true, true], ['False', false])
  .chain(([value, active]) =>
    fc.constantFrom<ModelOperation>(
      { request: { op: 'Replace', path: 'active', value }, effect: { active } },
      { request: { op: 'replace', value: { active: value } }, effect: { active } },
    ),
  )

/** Attributes of the SCIM schemas that are not stored. */
const ignored = fc.constantFrom<ModelOperation>(
  { request: { op: 'replace', path: 'title', value: 'x' }, effect: {} },
  { request: { op: 'replace', value: { title: 'x' } }, effect: {} },
)

const rejected = fc.constantFrom<ModelOperation>(
  { request: { op: 'move', path: 'userName', value: 'x' }, effect: 'invalid_syntax' },
  { request: { op: 'remove', path: 'userName' }, effect: 'mutability' },
  { request: { op: 'remove' }, effect: 'no_target' },
  { request: { op: 'replace', path: 'emails[type eq "home"].value', value: 'h@example.com' }, effect: 'no_target' },
  { request: { op: 'replace', path: 'emails[type pr].value', value: 'h@example.com' }, effect: 'invalid_filter' },
  { request: { op: 'replace', path: '..', value: 'x' }, effect: 'invalid_path' },
  { request: { op: 'replace', path: 'shoeSize', value: 'x' }, effect: 'invalid_path' },
  { request: { op: 'replace', path: 'name.formatted', value: ' ' }, effect: 'invalid_value' },
  { request: { op: 'replace', path: 'active', value: 'perhaps' }, effect: 'invalid_value' },
  { request: { op: 'replace', value: { shoeSize: 'x' } }, effect: 'invalid_value' },
)

const operation = fc.oneof(
  { weight: 6, arbitrary: withPath },
  { weight: 3, arbitrary: withoutPath },
  { weight: 1, arbitrary: activation },
  { weight: 1, arbitrary: ignored },
  { weight: 1, arbitrary: rejected },
)

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 })

const resource = fc.record({
  externalId: optional(fc.constantFrom(...pools.externUid)),
  userName: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pools.username) }, fc.constant(undefined)),
  emails: fc.constantFrom(...pools.email).map((value) => [{ type: 'work', primary: true, value }]),
  name: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        formatted: optional(fc.constantFrom(...pools.formatted)),
        givenName: optional(fc.constantFrom(...pools.givenName)),
        familyName: optional(fc.constantFrom(...pools.familyName)),
      }),
    },
    fc.constant(undefined),
  ),
  displayName: optional(fc.constantFrom(...pools.displayName)),
  active: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(undefined, true) }, fc.constant(false)),
  title: fc.constant('ignored'),
})

const user = fc.nat({ max: 2 })

/** Requests for one of the three users of the model. */
export const modelCommand: fc.Arbitrary<ModelCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      user,
      operations: fc.array(operation, { maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), user, resource }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('relink' as const), user }) },
)

type Attributes = Pick<ModelUser, 'externUid' | 'username' | 'name' | 'givenName' | 'familyName' | 'email'> & {
  readonly active: boolean
}

const equal = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const localPart = (userName: string) => userName.split('@')[0] as string

/** The attributes after a PATCH, or the reason of its error. */
const patched = (before: ModelUser, operations: readonly ModelOperation[]): Attributes | string => {
  const error = operations.find(({ effect }) => typeof effect === 'string')
  if (error) return error.effect as string
  const draft: Draft = Object.assign({}, ...operations.map(({ effect }) => effect))
  const text = (field: Field) => draft[field] as string | undefined
  const givenName = text('givenName') ?? before.givenName
  const familyName = text('familyName') ?? before.familyName
  const whole = text('formatted') ?? text('displayName')
  const isPartChanged = givenName !== before.givenName || familyName !== before.familyName
  if (whole === undefined && isPartChanged && (givenName === null || familyName === null)) return 'invalid_value'
  const name = whole ?? (isPartChanged ? `${givenName} ${familyName}`.trim() : before.name)
  if (name === '') return 'invalid_value'
  return {
    externUid: text('externUid') ?? before.externUid,
    username: text('username') ?? before.username,
    email: text('email') ?? before.email,
    active: (draft.active as boolean | undefined) ?? true,
    name,
    givenName,
    familyName,
  }
}

/** The attributes that a PUT sets, or the reason of its error. */
const replaced = (before: ModelUser, resource: Readonly<Record<string, unknown>>): Attributes | string => {
  const { externalId, userName, emails, name, displayName, active } = resource as {
    externalId?: string
    userName?: string
    emails: readonly { value: string }[]
    name?: { formatted?: string; givenName?: string; familyName?: string }
    displayName?: string
    active?: boolean
  }
  if (userName === undefined || name === undefined) return 'invalid_value'
  const { formatted, givenName, familyName } = name
  const fullName = givenName && familyName ? `${givenName} ${familyName}` : ''
  const text = formatted || fullName || displayName || givenName || familyName
  if (!text) return 'invalid_value'
  return {
    externUid: externalId ?? before.externUid,
    username: userName,
    email: emails[0]?.value as string,
    active: active ?? true,
    name: text,
    givenName: givenName ?? null,
    familyName: familyName ?? null,
  }
}

/** Names, addresses and external UIDs that belong to users outside the model. */
const taken = {
  username: ['root', 'olga', 'guest', 'stranger', 'acme', 'other', 'off', 'plain'],
  email: ['olga@example.com', 'stranger@example.com'],
  externUid: ['olga-1'],
} as const

/** The documented behavior of PATCH and PUT on the users of one group. */
export class ScimModel {
  readonly users: readonly ModelUser[]
  constructor(users: readonly ModelUser[]) {
    this.users = users
  }

  private isTaken(field: keyof typeof taken, value: string, own: ModelUser): boolean {
    const others = this.users.filter((other) => other !== own && (field !== 'externUid' || other.linked))
    return [...taken[field], ...others.map((other) => other[field])].some((other) => equal(other, value))
  }

  /** Applies a request and returns its outcome. */
  change({ user, ...command }: ModelPatch | ModelPut): Outcome {
    const before = this.users[user] as ModelUser
    if (!before.linked) return 'not_found'
    const after = command.kind === 'patch' ? patched(before, command.operations) : replaced(before, command.resource)
    if (typeof after === 'string') return after
    const { externUid, name, givenName, familyName, email, active } = after
    const sent = localPart(after.username)
    const username = equal(sent, before.username) ? before.username : sent
    const isProfileChanged = username !== before.username || name !== before.name || email !== before.email
    if (!before.managed && isProfileChanged && command.kind === 'patch') return 'mutability'
    if (this.isTaken('externUid', externUid, before)) return 'conflict'
    if (before.managed) {
      if (this.isTaken('username', username, before) || this.isTaken('email', email, before)) return 'conflict'
      Object.assign(before, { username, name, email, givenName, familyName })
    }
    Object.assign(before, { externUid, linked: active })
    return 'ok'
  }
}
