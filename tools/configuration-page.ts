/** docs/configuration.md, written from the descriptions in the schema of the settings. */
import { z } from 'zod'
import { settingsSchema } from '../src-shared/settings.ts'

/** What `z.toJSONSchema` says of one setting. */
type Setting = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | null)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
  readonly items?: Setting
  readonly anyOf?: readonly Setting[]
  readonly oneOf?: readonly Setting[]
}

type Row = { readonly name: string; readonly setting: Setting; readonly isRequired: boolean }

const HEAD = `# Settings

<!-- Written by \`npm run docs\` from the schema of the settings, src-shared/settings.ts and what it imports. Edit that. -->

A configuration file, a policy and the settings screens all use these names. Sections and values that a file leaves out
keep their defaults. [The administrator's guide](administrator-guide.md) says how to bring a file to a station, how to lock
sections, and which statement counts if several state the same value.

\`\`\`json
{
  "service": { "baseUrl": "https://service.example/api", "clientId": "…", "clientSecret": "…" },
  "centerId": "101",
  "folders": [{ "path": "D:\\\\Export" }],
  "requiredFields": ["history_number"]
}
\`\`\`
`

/** The whole page. Throws if a setting has no description. */
export function configurationPage(): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input' }) as Setting
  const sections = Object.entries(properties)
  const single = sections.filter(([, setting]) => rowsIn('', setting).length === 0)
  const general = single.map(([name, setting]) => ({ name, setting, isRequired: false }))
  const tables = sections
    .map(([name, setting]) => ({ name, setting, rows: rowsIn(pathOf(name, setting), setting) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, setting, rows }) => `## ${name}\n\n${descriptionOf(name, setting)}\n\n${table(rows)}`)
  return `${[HEAD.trim(), `## The station\n\n${table(general)}`, ...tables].join('\n\n')}\n`
}

/** A list is described by one of its entries: `folders[].path`. */
function pathOf(name: string, setting: Setting): string {
  return bare(setting).items?.properties ? `${name}[]` : name
}

/** The settings inside a section, each with its full name; none if it holds a single value. */
function rowsIn(path: string, section: Setting): Row[] {
  const { properties, required = [], items } = bare(section)
  if (items?.properties) return rowsIn(path, items)
  return Object.entries(properties ?? {}).flatMap(([key, setting]) => {
    const name = `${path}.${key}`
    const inner = rowsIn(pathOf(name, setting), setting)
    const own = { name, setting, isRequired: required.includes(key) }
    // A group that may be absent is a value, too: its parts cannot be explained without it.
    return isNullable(setting) || inner.length === 0 ? [own, ...inner] : inner
  })
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, setting, isRequired }) => {
    const cells = [
      `\`${name}\``,
      valuesOf(setting),
      defaultOf(setting, isRequired),
      descriptionOf(name, setting),
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| setting | values | default | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

function descriptionOf(name: string, setting: Setting): string {
  if (setting.description === undefined) throw new Error(`the setting ${name} has no description`)
  return setting.description
}

function valuesOf(setting: Setting): string {
  const values = plainValuesOf(bare(setting))
  return isNullable(setting) ? `${values}, \`null\`` : values
}

function plainValuesOf(setting: Setting): string {
  const choices = setting.enum?.filter((choice) => choice !== null)
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  switch (typesOf(setting).find((type) => type !== 'null')) {
    case 'array':
      return listOf(setting.items)
    case 'boolean':
      return '`true`, `false`'
    case 'integer':
    case 'number':
      return rangeOf(setting.minimum, setting.maximum)
    case 'string':
      return 'text'
    default:
      return 'names and values'
  }
}

/** More choices than this are described elsewhere. */
const MAX_CHOICES = 10

function listOf(items: Setting | undefined): string {
  const choices = items?.enum
  if (choices && choices.length > MAX_CHOICES) return 'list of field names'
  if (choices) return `list of ${choices.map((choice) => `\`${choice}\``).join(', ')}`
  if (items?.oneOf) return 'list of objects'
  return items?.type === 'number' ? 'list of numbers' : 'list of texts'
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  // JSON Schema limits an unlimited integer to what a double can count.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum !== undefined && most !== undefined) return `${count(minimum)} to ${count(most)}`
  if (minimum !== undefined && minimum > 0) return `${count(minimum)} or more`
  return most === undefined ? 'number' : `up to ${count(most)}`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function defaultOf(setting: Setting, isRequired: boolean): string {
  if (isRequired) return 'required'
  if (!('default' in setting)) return '–'
  return `\`${JSON.stringify(setting.default).replaceAll(',', ', ').replaceAll(/^"|"$/g, '')}\``
}

function typesOf({ type = [] }: Setting): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

function isNullable(setting: Setting): boolean {
  return [setting, ...(setting.anyOf ?? [])].some((one) => typesOf(one).includes('null'))
}

/** The setting without the alternative of being null. */
function bare(setting: Setting): Setting {
  return setting.anyOf?.find((one) => !typesOf(one).includes('null')) ?? setting
}
