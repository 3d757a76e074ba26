import { z } from 'zod'
import { secretStorageSchema } from './setting-source.ts'

/** What a station is and runs on, for the people who look after it. Nothing of a patient, no secret. */
export const aboutSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'headless']),
  stationId: z.string(),
  /** The operating system and its version; what runs the station, such as `Node 24.21.0`. */
  system: z.string(),
  runtime: z.string(),
  dataFolder: z.string(),
  /** Where the client secret is kept. */
  secretsKept: secretStorageSchema,
  /** The way to the service: the address of a proxy without its sign-in, or null for none. */
  proxy: z.string().nullable(),
  /** Does the system start the program at login as the settings say? Null where it was not asked. */
  startAtLogin: z.enum(['asWanted', 'refused']).nullable(),
})
export type About = z.infer<typeof aboutSchema>
