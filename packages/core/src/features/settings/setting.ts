import * as v from 'valibot'

/** One application setting. Its wire name is its name in snake_case. */
export interface Setting<Schema extends v.GenericSchema = v.GenericSchema> {
  /** What may be given and stored. Free of transformations, so that it can be written as JSON Schema. */
  readonly schema: Schema
  /** Its value on a platform where nobody has set it. */
  readonly default: v.InferOutput<Schema>
  /** What it does, in one line. */
  readonly says: string
  /** Exists in the paid tier only. */
  readonly paid?: true
  /** Stored encrypted and never returned. */
  readonly secret?: true
  /** Settings that must be given in the same request when this one is switched on. */
  readonly requires?: readonly string[]
  /** Has no effect before the service is started again. */
  readonly requiresRestart?: true
  /** What to use instead. */
  readonly deprecated?: string
  /** What this platform does by it, in one line. Absent where it is only kept for clients that read it. */
  readonly governs?: string
  /** Kept by the platform itself; nobody can set it. */
  readonly readOnly?: true
}

type Traits = Omit<Setting, 'schema' | 'default' | 'says'>

const setting =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (fallback: v.InferOutput<Schema>, says: string, traits: Traits = {}): Setting<Schema> => ({
    schema,
    default: fallback,
    says,
    ...traits,
  })

const largest = 2_147_483_647
const Text = v.pipe(v.string(), v.maxLength(2048))
const LongText = v.pipe(v.string(), v.maxLength(1_000_000))
const Texts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(1000))
const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largest))

/** On or off. */
export const flag = setting(v.boolean())

/** An integer of at most 32 bits. Which of them make sense is a rule of the setting, not of its type. */
export const whole = setting(v.pipe(v.number(), v.integer(), v.minValue(-largest), v.maxValue(largest)))

/** A number with a fraction, within the same borders. */
export const decimal = setting(v.pipe(v.number(), v.minValue(-largest), v.maxValue(largest)))

/** The id of something, or null for none. */
export const reference = setting(v.nullable(Id))

/** A line of at most 2,048 characters; null means that nothing was set. */
export const text = setting(v.nullable(Text))

/** Text of at most 1,000,000 characters; null means that nothing was set. */
export const longText = setting(v.nullable(LongText))

/** At most 1,000 words of at most 255 characters each. */
export const list = setting(Texts)

/** A list that tells "not set" (null) from empty. */
export const optionalList = setting(v.nullable(Texts))

/** At most 1,000 ids. */
export const references = setting(v.pipe(v.array(Id), v.maxLength(1000)))

/** One of the listed values. */
export const choice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  setting(v.picklist(options))

/** One of the listed values, or null for no choice. */
export const optionalChoice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  setting(v.nullable(v.picklist(options)))

/** A setting that is stored encrypted and never returned. */
export const secret = <S extends Setting>(hidden: S): S & { readonly secret: true } => ({ ...hidden, secret: true })

/** Who can see new things of a kind. */
export const visibility = choice('private', 'internal', 'public')

/** An id given by the platform. */
export const ownId = setting(Id)

/** An instant, ISO 8601 in UTC with three fractional digits. */
export const ownInstant = setting(v.pipe(v.string(), v.isoTimestamp()))
