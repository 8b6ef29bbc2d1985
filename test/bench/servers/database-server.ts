import { createPlatform, postgres, sqlite } from '@forgelet/core'
import { serve } from '@forgelet/http'

/** The platform's server on a data file or on PostgreSQL, without rate limits. */

const [database = ''] = process.argv.slice(2)
const store = database.startsWith('postgres:') ? postgres(database) : sqlite(database, { durability: 'process' })
const { url } = await serve(createPlatform(store), { port: 0, rateLimits: false })

process.send?.({ port: Number(new URL(url).port) })
