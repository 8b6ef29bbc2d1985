/** What a page may load and do (Content Security Policy Level 3): nothing from elsewhere, and nothing that is not listed. */
const policy = (directives: Readonly<Record<string, string>>) =>
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...directives,
  })
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')

/** For pages whose scripts and styles are files of ours. Text never becomes markup there. */
export const ownPagePolicy = policy({ 'require-trusted-types-for': "'script'" })

/** What the bundle of @scalar/api-reference needs besides: it writes style attributes and sheets, and pictures as data. */
export const referencePolicy = policy({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
})
