/** Headers of every reply. */
export const commonHeaders = {
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin, Authorization, Private-Token',
} as const
