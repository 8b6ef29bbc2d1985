/** Whether the value at a path of names in a body, a form or a query is secret. Indexes of lists are `''`. */
export type SecretFields = (path: readonly string[]) => boolean

/** Names of secret values on all routes. */
const secretName =
  /token|secret|password|passwd|passphrase|(?:private|api|access|client|signing|encryption)[-_]?key|credential|^otp|code_verifier|client_assertion/i
/** Numbers with such names are mostly settings: `container_registry_token_expire_delay`. These names are secrets themselves. */
const secretNumberName = /(?:token|secret|password|passwd|passphrase|key|key_id|pass|value|otp\w*)$/i

/** What describes a variable beside its value. */
const publicVariableFields = new Set([
  ...['id', 'key', 'variable_type', 'environment_scope', 'description', 'protected', 'masked', 'hidden', 'raw'],
])

/** Lists and mappings of named values: `{ KEY: value }`, or `[{ key, value }]`. */
const isInMapping =
  (...mappings: readonly string[]): SecretFields =>
  (path) => {
    const at = path.findIndex((name) => mappings.includes(name))
    const below = path.length - at - 1
    return at >= 0 && (below < 2 || !publicVariableFields.has(path.at(-1) ?? ''))
  }

const isNamed =
  (...names: readonly string[]): SecretFields =>
  (path) =>
    path.some((name) => names.includes(name))

/** Paths whose secrets have ordinary names. */
const routes: readonly (readonly [path: RegExp, fields: SecretFields])[] = [
  [/\/variables(?:\/|$)/, isNamed('value', 'secret_value')],
  [/\/(?:pipelines?|pipeline_schedules|play)(?:\/|$)/, isInMapping('variables', 'job_variables_attributes')],
  [/\/hooks(?:\/|$)/, isInMapping('custom_headers', 'url_variables')],
  [/\/hooks\/[^/]+\/(?:custom_headers|url_variables)\//, isNamed('value')],
  [/\/pages\/domains(?:\/|$)/, isNamed('key')],
  [/\/feature_flags\/unleash\//, isNamed('instance_id', 'instanceId')],
  [/\/error_tracking\/collector\//, isNamed('sentry_key', 'sentry_auth')],
  [/\/oauth\//, isNamed('code', 'assertion')],
]

/** The secret fields of the requests and replies of a path, apart from those with a secret name. */
export const findSecretFields = (path: string): SecretFields => {
  const own = routes.filter(([pattern]) => pattern.test(path)).map(([, fields]) => fields)
  return (names) => own.some((isSecret) => isSecret(names))
}

export const isSecretName = (name: string): boolean => secretName.test(name)

/** Whether a number with this name can be a secret: the API also accepts numbers as text. */
export const isSecretNumber = (name: string): boolean => secretNumberName.test(name)
