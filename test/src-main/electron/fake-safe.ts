import type { Safe } from '../../../src-main/electron/secrets.ts'

/** Seals by turning the bytes over under a key; another key cannot open it. */
export function fakeSafe(
  changes: Partial<Safe> & { readonly key?: number; readonly shouldReEncrypt?: boolean } = {},
): Safe {
  const { key = 90, shouldReEncrypt = false, ...rest } = changes
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ key))
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    encryptStringAsync: (text) => Promise.resolve(turn(Buffer.from(`sealed ${text}`))),
    decryptStringAsync: (sealed) => {
      const text = turn(sealed).toString()
      if (!text.startsWith('sealed ')) return Promise.reject(new Error(`Error while decrypting ${text}`))
      return Promise.resolve({ result: text.slice('sealed '.length), shouldReEncrypt })
    },
    getSelectedStorageBackend: () => 'gnome_libsecret',
    ...rest,
  }
}
