import { emptyAnswer, enveloped, jsonAnswer, type Answer } from './answer.ts'
import type { StoredCase } from './cases.ts'
import type { Dialect } from './dialects.ts'

/** The answer to a case that was stored. */
export function createdAnswer(dialect: Dialect, stored: StoredCase, basePath: string): Answer {
  switch (dialect.created) {
    case 'bare':
      return jsonAnswer(200, stored.id)
    case 'location':
      return emptyAnswer(201, { location: `${basePath}/cases/${stored.id}` })
    case 'content':
    case 'id':
    case 'case_id':
    case 'caso':
    case 'uuid':
    case 'data.id':
    case 'content.id':
    case 'content.case_id':
    case 'case.id':
      return jsonAnswer(201, enveloped(dialect.created, stored.id))
  }
}

/** One case, bare or wrapped. */
export function caseAnswer(dialect: Dialect, stored: StoredCase, now: number): Answer {
  const shown = shownCase(dialect, stored, now)
  return jsonAnswer(200, dialect.oneCase === 'bare' ? shown : enveloped(dialect.oneCase, shown))
}

/** The list of cases, newest last; with a page size also the way to the next page. `address` is that of the list. */
export function listAnswer(
  dialect: Dialect,
  cases: readonly StoredCase[],
  options: { readonly page: number; readonly address: string; readonly now: number },
): Answer {
  const size = dialect.pageSize ?? Math.max(cases.length, 1)
  const shown = cases.slice((options.page - 1) * size, options.page * size)
  const next =
    options.page * size < cases.length ? `${options.address}?page=${String(options.page + 1)}` : null
  const list = shapedList(dialect, shown, options.now)
  if (next === null) return jsonAnswer(200, list)
  const hasRoom =
    typeof list === 'object' && list !== null && !Array.isArray(list) && dialect.list !== 'keyedById'
  if (dialect.pageLink === 'header' || !hasRoom)
    return jsonAnswer(200, list, { link: `<${next}>; rel="next"` })
  return jsonAnswer(200, { ...list, ...(dialect.pageLink === 'next' ? { next } : { links: { next } }) })
}

function shapedList(dialect: Dialect, cases: readonly StoredCase[], now: number): unknown {
  const items = cases.map((stored) => shownCase(dialect, stored, now))
  const isNull = items.length === 0 && dialect.emptyList === 'null'
  // An id that is the key does not stand in the value as well.
  const keyed = Object.fromEntries(
    cases.map((stored, index) => {
      const { id, ...others } = items[index] ?? { id: stored.id }
      return [String(id), others]
    }),
  )
  switch (dialect.list) {
    case 'array':
      return isNull ? null : items
    case 'keyedById':
      return isNull ? null : keyed
    case 'content.keyedById':
      return enveloped('content', isNull ? null : keyed)
    case 'cases':
    case 'content':
    case 'data':
    case 'items':
    case 'results':
    case 'data.cases':
    case 'content.items':
      return enveloped(dialect.list, isNull ? null : items)
  }
}

function shownCase(
  dialect: Dialect,
  stored: StoredCase,
  now: number,
): Readonly<Record<string, unknown>> & { id: StoredCase['id'] } {
  const id = stored.id
  const minimal = {
    id,
    history_number: stored.fields['history_number'] ?? null,
    visit_date: stored.fields['visit_date'] ?? null,
    state: now >= stored.reportReadyAt ? 'reported' : 'pending',
  }
  switch (dialect.caseFields) {
    case 'ids':
      return { id }
    case 'minimal':
      return minimal
    case 'everything':
      return {
        ...minimal,
        ...stored.fields,
        urgency: 'normal',
        created_at: new Date(stored.storedAt).toISOString(),
        images: stored.images.map((image) => ({ name: image.fileName, size: image.sizeBytes })),
      }
  }
}
