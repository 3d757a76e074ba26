/**
 * What a strict server would let through as a case: a reading of the interface of its own, which takes nothing
 * from the station's, so that a slip in one of them shows.
 */
import type { ReceivedField, ReceivedImage } from './journal.ts'

const IMAGE_PART_NAME = 'images[]'

const isAny = (): boolean => true
const isCode = (text: string): boolean => text === '0' || text === '1'
/** No decimal comma, no exponent, no sign but a minus: what every server reads alike. */
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)
const isPositiveDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text)

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

type Rule = { readonly accepts: (text: string) => boolean; readonly wants: string }

const TEXT: Rule = { accepts: isAny, wants: 'text' }
const CODE: Rule = { accepts: isCode, wants: '0 or 1' }

const RULES = new Map<string, Rule>([
  ['history_number', TEXT],
  ['first_name', TEXT],
  ['last_name', TEXT],
  ['gender', CODE],
  ['age', { accepts: isPositiveDecimal, wants: 'a number' }],
  ['diabetes', CODE],
  ['visit_date', { accepts: isDay, wants: 'a date YYYY-MM-DD' }],
  ['visit_reason', TEXT],
  ['ophthalmic_antecedents', TEXT],
  ['other_relevant_info', TEXT],
  ['retinologist_notes', TEXT],
  ['callback_url', { accepts: isWebAddress, wants: 'a web address' }],
])
for (const eye of ['od', 'os'])
  for (const measurement of ['iop', 'va', 'axis', 'cylinder', 'sphere', 'add', 'prism', 'prism_base'])
    RULES.set(`${eye}_${measurement}`, { accepts: isDecimal, wants: 'a float' })

/** Everything wrong with a case as it came, in words that name the field and never its value. */
export function complaintsAbout(
  parts: { readonly fields: readonly ReceivedField[]; readonly images: readonly ReceivedImage[] },
  requiredFields: readonly string[],
): readonly string[] {
  const complaints: string[] = []
  const seen = new Set<string>()
  for (const { name, value } of parts.fields) {
    const rule = RULES.get(name)
    if (name === IMAGE_PART_NAME) complaints.push('images[]: a file part without a file name')
    else if (!rule) complaints.push(`${name}: no such field`)
    else if (seen.has(name)) complaints.push(`${name}: came twice`)
    else if (!rule.accepts(value)) complaints.push(`${name}: must be ${rule.wants}`)
    seen.add(name)
  }
  for (const name of requiredFields)
    if (!parts.fields.some((field) => field.name === name && field.value.trim() !== ''))
      complaints.push(`${name}: is required`)
  for (const image of parts.images) {
    if (image.partName !== IMAGE_PART_NAME) complaints.push(`${image.partName}: files belong under images[]`)
    if (image.fileName === '') complaints.push('images[]: a file part without a file name')
    if (image.sizeBytes === 0) complaints.push('images[]: an empty file')
  }
  if (parts.images.length === 0) complaints.push('images[]: at least one image is required')
  return complaints
}
