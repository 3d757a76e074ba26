/** `safeStorage`: seals for real, under a key that stands for the account; another key opens nothing. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { loud } from './loud.ts'
import { around, needsReady, record } from './stage.ts'

const keyOf = (): Buffer => createHash('sha256').update(around().safe.key).digest()

function seal(text: string): Buffer {
  needsReady('safeStorage')
  if (!around().safe.isAvailable)
    throw new Error(
      'Error while encrypting the text provided to safeStorage.encryptString. Encryption is not available.',
    )
  const start = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(), start)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  record('safe', { what: 'sealed' })
  return Buffer.concat([Buffer.from('v11'), start, cipher.getAuthTag(), sealed])
}

function open(sealed: Buffer): string {
  needsReady('safeStorage')
  try {
    if (!around().safe.isAvailable) throw new Error('locked')
    const decipher = createDecipheriv('aes-256-gcm', keyOf(), sealed.subarray(3, 15))
    decipher.setAuthTag(sealed.subarray(15, 31))
    const text = Buffer.concat([decipher.update(sealed.subarray(31)), decipher.final()]).toString('utf8')
    record('safe', { what: 'opened' })
    return text
  } catch {
    record('safe', { what: 'notOpened' })
    throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.')
  }
}

export const safeStorage = loud('safeStorage', {
  isEncryptionAvailable() {
    needsReady('safeStorage')
    return around().safe.isAvailable
  },
  isAsyncEncryptionAvailable() {
    needsReady('safeStorage')
    return Promise.resolve(around().safe.isAvailable)
  },
  encryptString: seal,
  decryptString: open,
  encryptStringAsync: async (text: string) => seal(text),
  decryptStringAsync: async (sealed: Buffer) => ({
    result: open(sealed),
    shouldReEncrypt: around().safe.shouldReEncrypt,
  }),
  getSelectedStorageBackend() {
    needsReady('safeStorage')
    return around().safe.backend
  },
  setUsePlainTextEncryption: () => undefined,
})
