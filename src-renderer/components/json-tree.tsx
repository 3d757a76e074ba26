import { t } from '../i18n/i18n.ts'
import css from './json-tree.module.css'

/** Deeper than any readable report; a hostile answer must not overflow the stack. */
const MAX_DEPTH = 12

export type JsonTreeProps = { readonly value: unknown; readonly depth?: number }

/** Any JSON as names and values; nothing in it is interpreted as markup. */
export function JsonTree({ value, depth = 0 }: JsonTreeProps) {
  if (value === null || value === undefined || value === '')
    return <span className="dim">{t('report:nothing')}</span>
  if (typeof value === 'boolean') return <span>{value ? t('report:yes') : t('report:no')}</span>
  if (typeof value === 'string') return <span className={css.value}>{value}</span>
  if (typeof value !== 'object') return <span className={css.value}>{JSON.stringify(value)}</span>
  if (depth >= MAX_DEPTH) return <code className={css.value}>{JSON.stringify(value)}</code>
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="dim">{t('report:nothing')}</span>
    return (
      <ol className={css.list}>
        {value.map((item: unknown, index) => (
          // A list from outside has no other identity than its order.
          // oxlint-disable-next-line react/no-array-index-key -- a report's list never changes, and its entries have no other name
          <li key={index}>
            <JsonTree value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
    )
  }
  return (
    <dl className={css.object} data-depth={depth}>
      {Object.entries(value).map(([name, inner]) => (
        <div key={name} className={css.entry} data-nested={typeof inner === 'object' && inner !== null}>
          <dt>{readable(name)}</dt>
          <dd>
            <JsonTree value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `diabetic_retinopathy` and `diabeticRetinopathy` as `Diabetic retinopathy`. */
function readable(name: string): string {
  const text = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim()
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}
