/** Pages with commands that a test runs in sequence in an empty folder. */
export const executedGuides: readonly string[] = [
  'README.md',
  'docs/guide/dependencies.md',
  'docs/guide/error-tracking.md',
  'docs/guide/git-over-http.md',
  'docs/guide/serving.md',
  'docs/guide/testing.md',
  'docs/guide/upgrading.md',
]
