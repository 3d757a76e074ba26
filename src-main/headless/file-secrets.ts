/** Secrets in a file that only its owner can read: plain Node has no keychain to offer. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '../station/durable-file.ts'
import type { SecretStore } from '../station/ports.ts'
import { errorCode } from '../station/lib/errors.ts'

const secretsSchema = z.record(z.string(), z.string())

export function openFileSecrets(dataFolder: string): SecretStore {
  const path = join(dataFolder, 'secrets.json')
  const readSecrets = async (): Promise<Record<string, string>> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return '{}'
      throw error
    })
    // A file that cannot be understood is a secret that must be entered again, and nothing worse.
    try {
      return secretsSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }
  return {
    read: async (name) => (await readSecrets())[name] ?? null,
    storedIn: () => Promise.resolve('privateFile'),
    write: async (name, value) =>
      writeDurably(path, JSON.stringify({ ...(await readSecrets()), [name]: value })),
  }
}
