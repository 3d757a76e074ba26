import { fc } from '../../../tools/property.ts'

/** Field names that the readers look for, and those that hurt careless ones. */
const NAMES = (
  'id case_id caso uuid content data case cases items results success error errors message next links token ' +
  'access_token expires expires_in centers name current report url pdf status ready ' +
  '__proto__ constructor toString hasOwnProperty'
).split(' ')
const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(
    null,
    '',
    '0',
    'JVBERi0xLjQK',
    'data:application/pdf;base64,JVBERi0=',
    'https://x.example/y',
    '\u0000',
  ),
)

/** JSON that looks like answers of the service, wrongly put together. */
export const answerLike: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('array'), tie('record')),
  array: fc.array(tie('value'), { maxLength: 4 }),
  record: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), tie('value')), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries)),
})).value

/** Any bytes at all, half of them JSON. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  answerLike.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
)

/** The same without anything that could be an id: no digits, no letters in values, only names. */
export const withoutIds: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      '',
      ' ',
      0,
      '0',
      -1,
      1.5,
      'not an id',
      'null',
      '..',
      'created',
    ),
    tie('array'),
    tie('record'),
  ),
  array: fc.array(tie('value'), { maxLength: 4 }),
  record: fc
    .array(
      fc.tuple(fc.constantFrom('content', 'data', 'case', 'success', 'message', '__proto__'), tie('value')),
      { maxLength: 5 },
    )
    .map((entries) => Object.fromEntries(entries)),
})).value

export function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}
