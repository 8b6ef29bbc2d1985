import * as v from 'valibot'

/** An application setting. Its HTTP name is its name in snake_case. */
export interface Setting<Schema extends v.GenericSchema = v.GenericSchema> {
  /** Validates input and stored values. Has no transformations, so that it can be converted to JSON Schema. */
  readonly schema: Schema
  /** The value while it is not set. */
  readonly default: v.InferOutput<Schema>
  /** Its meaning in one line, for the reference. */
  readonly description: string
  /** Exists in the paid tier only. */
  readonly paid?: true
  /** Stored encrypted and never returned. */
  readonly secret?: true
  /** Takes effect after a restart of the services that read it. */
  readonly requiresRestart?: true
  /** The replacement. */
  readonly deprecated?: string
  /** Its effect on this platform in one line. Omitted when the platform only stores it for clients. */
  readonly effect?: string
  /** Why it has no effect on this platform, in one line. Every setting has either this or `effect`. */
  readonly noEffect?: string
  /** Set by the platform only. */
  readonly readOnly?: true
}

type Traits = Omit<Setting, 'schema' | 'default' | 'description'>

const setting =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (fallback: v.InferOutput<Schema>, description: string, traits: Traits = {}): Setting<Schema> => ({
    schema,
    default: fallback,
    description,
    ...traits,
  })

const maxInteger = 2_147_483_647
const Text = v.pipe(v.string(), v.maxLength(2048))
const LongText = v.pipe(v.string(), v.maxLength(1_000_000))
const Texts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(1000))
const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxInteger))

export const flag = setting(v.boolean())

/** A 32-bit integer. Narrower ranges are validation rules (`setting-rules.ts`). */
export const integer = setting(v.pipe(v.number(), v.integer(), v.minValue(-maxInteger), v.maxValue(maxInteger)))

/** The same, or null when not set. */
export const optionalInteger = setting(
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-maxInteger), v.maxValue(maxInteger))),
)

/** A number within the same range. */
export const decimal = setting(v.pipe(v.number(), v.minValue(-maxInteger), v.maxValue(maxInteger)))

/** An id, or null for none. */
export const reference = setting(v.nullable(Id))

/** Text of at most 2,048 characters, or null when not set. */
export const text = setting(v.nullable(Text))

/** Text of at most 1,000,000 characters, or null when not set. */
export const longText = setting(v.nullable(LongText))

/** At most 1,000 strings of at most 255 characters each. */
export const list = setting(Texts)

/** A list, or null when not set. */
export const optionalList = setting(v.nullable(Texts))

/** At most 1,000 ids. */
export const references = setting(v.pipe(v.array(Id), v.maxLength(1000)))

export const choice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  setting(v.picklist(options))

/** Any of the options. */
export const choices = <const Options extends readonly string[]>(...options: Options) =>
  setting(v.pipe(v.array(v.picklist(options)), v.maxLength(options.length)))

/** One of the options, or null for no choice. */
export const optionalChoice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  setting(v.nullable(v.picklist(options)))

/** A setting that is stored encrypted and never returned. */
export const secret = <S extends Setting>(base: S): S & { readonly secret: true } => ({ ...base, secret: true })

/** Default visibility of new objects. */
export const visibility = choice('private', 'internal', 'public')

/** An id assigned by the platform. */
export const platformId = setting(Id)

/** An instant, ISO 8601 in UTC with three fractional digits. */
export const platformInstant = setting(v.pipe(v.string(), v.isoTimestamp()))
