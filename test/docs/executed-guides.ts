/** Pages whose commands are typed by a test, one after the other, in an empty folder. */
export const executedGuides: readonly string[] = [
  'README.md',
  'docs/guide/serving.md',
  'docs/guide/testing.md',
  'docs/guide/upgrading.md',
]
