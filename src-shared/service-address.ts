/** Addresses that a station may sign in at or fetch updates from. */
import { z } from 'zod'

/** https only; plain http is allowed for a service on this machine. A path is preserved. */
export const baseUrlSchema = z
  .string()
  .refine(
    (text) => isServiceAddress(text),
    'an https address such as https://service.example/api (http only on this machine)',
  )

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Node and browsers both have it; this folder uses the types of neither. */
declare const URL: { canParse(text: string): boolean }

function isServiceAddress(text: string): boolean {
  const match = /^(https?):\/\/([^/?#@\s:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^?#\s]*)?$/i.exec(text)
  if (!match || !URL.canParse(text)) return false
  return match[1]?.toLowerCase() === 'https' || LOOPBACK_NAMES.includes((match[2] ?? '').toLowerCase())
}
