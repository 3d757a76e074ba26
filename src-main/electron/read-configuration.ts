/**
 * Reads the file of `--config`, and remembers what it said.
 *
 * Its settings decide where cases go, so none may be made or sent by others while a share is away or somebody has mistyped
 * a comma: the station keeps to what the file said when it last could be read. The secret is not remembered.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { ManagedFile } from '../../src-shared/setting-source.ts'
import {
  digestOfStated,
  parseConfig,
  readConfigFile,
  describeFault,
  type ConfigFile,
} from '../station/config-file.ts'
import { serviceSettingsSchema, settingsSchema } from '../../src-shared/settings.ts'
import { writeDurably } from '../station/durable-file.ts'
import { configurationStatus } from '../station/managed-setup.ts'
import type { Logger } from '../station/ports.ts'
import { dropFeed } from './policy-file.ts'
import { errorCode } from '../station/lib/errors.ts'

export type ConfigurationResult = { readonly config: ConfigFile | null; readonly file: ManagedFile | null }

/** Never rejects over the file. A file without a config: nothing is known of what it says or said. */
export async function readConfiguration(
  path: string | null,
  dataFolder: string,
  logger: Logger,
): Promise<ConfigurationResult> {
  if (path === null) return { config: null, file: null }
  const cachePath = join(dataFolder, 'configuration-in-force.json')
  const reading = await readConfigFile(path)
  if (reading.kind === 'read') {
    await remember(cachePath, path, reading.config, logger)
    return { config: reading.config, file: configurationStatus(path, reading) }
  }
  logger.error(reading.message)
  const config = await readLastKnown(cachePath, path, logger)
  logger.warn(
    config === null
      ? 'nothing is known of what the configuration file said: nothing is taken in or sent'
      : 'what the configuration file said last holds',
  )
  return { config, file: configurationStatus(path, reading, config === null ? 'nothing' : 'lastKnown') }
}

const cachedConfigurationSchema = z.object({
  /** What another file said is nothing to go by. */
  path: z.string(),
  stated: z.record(z.string(), z.unknown()),
  /** Null where the file states no secret. */
  serviceDigest: z.string().nullable(),
})

function pickNames(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

async function remember(
  cachePath: string,
  path: string,
  { stated }: ConfigFile,
  logger: Logger,
): Promise<void> {
  const { service } = stated
  const { clientSecret, ...rest } = Object(service) as Record<string, unknown>
  // A mistyped name may hold the secret, so only what means something is kept.
  const recognised = pickNames(stated, [...Object.keys(settingsSchema.shape), 'enforced'])
  const content: z.infer<typeof cachedConfigurationSchema> = {
    path: resolve(path),
    stated:
      service === undefined
        ? recognised
        : { ...recognised, service: pickNames(rest, Object.keys(serviceSettingsSchema.shape)) },
    serviceDigest: clientSecret === undefined ? null : digestOfStated(service),
  }
  const text = `${JSON.stringify(content, null, 2)}\n`
  try {
    if ((await readFile(cachePath, 'utf8').catch(() => '')) !== text) await writeDurably(cachePath, text)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    logger.warn('what the configuration file says could not be remembered', { code })
  }
}

async function readLastKnown(cachePath: string, path: string, logger: Logger): Promise<ConfigFile | null> {
  try {
    const cached = cachedConfigurationSchema.parse(JSON.parse(await readFile(cachePath, 'utf8')))
    if (cached.path !== resolve(path)) return null
    // Operators may write what is remembered, and must not say what runs here.
    const config = parseConfig(dropFeed(cached.stated))
    const { serviceDigest } = cached
    return { ...config, unknownNames: [], ...(serviceDigest !== null && { withheld: { serviceDigest } }) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    logger.warn('what the configuration file said last cannot be read', { because: describeFault(error) })
    return null
  }
}
