import { idFrom } from './identifier.ts'
import { firstField, isEmpty, isRecord, ownField, type JsonRecord } from './json-record.ts'

const NO = new Set<unknown>([false, 0, '0', 'false', 'no'])
const YES = new Set<unknown>([true, 1, '1', 'true', 'yes'])
const FAILED = new Set<unknown>(['error', 'fail', 'failed', 'failure', 'ko', 'unauthorized', 'forbidden'])

/** `success:false` in any of PHP's spellings: a failure whatever the status of the answer is. */
export function saysNoSuccess(value: unknown): boolean {
  return isRecord(value) && NO.has(lowered(ownField(value, 'success')))
}

/**
 * Whether a body says that something failed, by `success:false` or by an error and nothing else. A record with an
 * id of its own is a thing and no error, even where it has a state called "failed".
 */
export function saysFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (saysNoSuccess(value)) return true
  if (YES.has(lowered(ownField(value, 'success')))) return false
  if (idFrom(firstField(value, ['id', 'case_id', 'uuid'])) !== null) return false
  return carriesError(value) || FAILED.has(lowered(ownField(value, 'status'))) || hasErrorCode(value)
}

/** Whether an error stands in the record, beside whatever else is there. */
export function carriesError(record: JsonRecord): boolean {
  return ['error', 'errors'].some((name) => {
    const error = ownField(record, name)
    return !isEmpty(error) && !NO.has(lowered(error))
  })
}

/** An HTTP status repeated in the body, as some gateways do; 4xx and 5xx. */
function hasErrorCode(record: JsonRecord): boolean {
  return ['status', 'code', 'statusCode', 'status_code'].some((name) => {
    const code = ownField(record, name)
    return typeof code === 'string' ? /^[45]\d\d$/.test(code) : isErrorCode(code)
  })
}

function isErrorCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 400 && code < 600
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}
