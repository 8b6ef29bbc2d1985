/** A Content Security Policy (Level 3). By default a page can load files of this server only. */
const formatPolicy = (directives: Readonly<Record<string, string>>) =>
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

/** For our own pages. Scripts cannot assign strings as HTML. */
export const pagePolicy = formatPolicy({ 'require-trusted-types-for': "'script'" })

/** For the bundle of `@scalar/api-reference`, which uses inline styles, `data:` images and workers. */
export const referencePolicy = formatPolicy({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
})

/** For pages with texts and files of users: no scripts, and nothing from other servers, so that they do not learn who reads a page. */
export const readablePagePolicy = formatPolicy({
  'script-src': "'none'",
  'img-src': "'self' data:",
  'connect-src': "'none'",
  'manifest-src': "'self'",
  'form-action': "'self'",
})

/**
 * For pages whose form can lead to the page of an application. `form-action` applies to the redirects after a form, too, and has
 * no value that permits all schemes. These pages contain no texts of users except escaped names.
 */
export const redirectingPagePolicy = readablePagePolicy
  .split('; ')
  .filter((directive) => !directive.startsWith('form-action'))
  .join('; ')
