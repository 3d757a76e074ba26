/** Power, screens, colours, secrets, the shell and the network: the computer around the app. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { around, needsReady, record, strict } from './link.ts'

export const powerMonitor = strict(
  'powerMonitor',
  Object.assign(new EventEmitter(), { getSystemIdleTime: () => 0 }),
)

const blockers = new Map<number, string>()
let lastBlocker = 0
export const powerSaveBlocker = strict('powerSaveBlocker', {
  start(type: string) {
    const id = ++lastBlocker
    blockers.set(id, type)
    record('powerSave', { what: 'started', id, type })
    return id
  },
  stop(id: number) {
    record('powerSave', { what: 'stopped', id, type: blockers.get(id) ?? 'none' })
    return blockers.delete(id)
  },
})

export const screen = strict('screen', {
  getPrimaryDisplay: () => {
    needsReady('screen')
    return { scaleFactor: 1 }
  },
})

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false })

export const shell = strict('shell', {
  openExternal(url: string) {
    record('openExternal', { url })
    return Promise.resolve()
  },
})

export const net = strict('net', {
  fetch(url: string, init?: RequestInit) {
    needsReady('net.fetch')
    return fetch(url, init)
  },
})

const keyOf = (): Buffer => createHash('sha256').update(around().safe.key).digest()

function seal(text: string): Buffer {
  needsReady('safeStorage')
  if (!around().safe.isAvailable)
    throw new Error('Error while encrypting the text provided to safeStorage.encryptString.')
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from('v11'), nonce, cipher.getAuthTag(), sealed])
}

function unseal(sealed: Buffer): string {
  needsReady('safeStorage')
  try {
    if (!around().safe.isAvailable) throw new Error('locked')
    const decipher = createDecipheriv('aes-256-gcm', keyOf(), sealed.subarray(3, 15))
    decipher.setAuthTag(sealed.subarray(15, 31))
    return Buffer.concat([decipher.update(sealed.subarray(31)), decipher.final()]).toString('utf8')
  } catch {
    throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.')
  }
}

/** Seals for real, with a key of the account; another key opens nothing. */
export const safeStorage = strict('safeStorage', {
  isEncryptionAvailable() {
    needsReady('safeStorage')
    return around().safe.isAvailable
  },
  isAsyncEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
  encryptStringAsync: async (text: string) => seal(text),
  decryptStringAsync: async (sealed: Buffer) => ({ result: unseal(sealed), shouldReEncrypt: false }),
  getSelectedStorageBackend() {
    needsReady('safeStorage')
    return around().safe.backend
  },
})
