/**
 * How the service words its answers. No answer is documented, so every shape that a client must be ready for can
 * be chosen, call by call; they come from the notes in `api/answers.md` of the product.
 */

/** The forms in which an id may come; a number is one in JSON, too. */
export type IdForm = 'number' | 'numberText' | 'text' | 'uuid'
export type CaseId = string | number

type TokenShape = 'bare' | 'token' | 'data' | 'content' | 'tokenObject' | 'result' | 'string'
type ExpiryShape = 'expiresIn' | 'expiresInText' | 'expiresEpoch' | 'expiresEpochText' | 'expiresIso' | 'none'
/** The position of the new id. `location`: only in the header of a 201 with no body. */
type CreatedShape =
  | 'content'
  | 'id'
  | 'case_id'
  | 'caso'
  | 'uuid'
  | 'data.id'
  | 'content.id'
  | 'content.case_id'
  | 'case.id'
  | 'bare'
  | 'location'
type ListShape =
  | 'array'
  | 'cases'
  | 'content'
  | 'data'
  | 'items'
  | 'results'
  | 'data.cases'
  | 'content.items'
  | 'keyedById'
  | 'content.keyedById'
type ReportShape =
  | 'pdf'
  | 'pdfUnlabelled'
  | 'base64'
  | 'dataUri'
  | 'findings'
  | 'html'
  | 'text'
  | 'image'
  | 'link'
  | 'foreignLink'
type NotReadyShape = '404' | '202' | '204' | 'emptyContent' | 'nullContent' | 'successFalse'
type CentersShape = 'array' | 'centers' | 'content' | 'data' | 'map' | 'content.map'
type FailureShape =
  | 'envelope'
  | 'error'
  | 'oauth'
  | 'errorMessageCode'
  | 'message'
  | 'errors'
  | 'codeDetail'
  | 'html'
  | 'empty'

export type Dialect = {
  readonly token: TokenShape
  readonly expiry: ExpiryShape
  readonly ids: IdForm
  readonly created: CreatedShape
  readonly list: ListShape
  readonly emptyList: 'empty' | 'null'
  /** Cases on a page; null for all on one. */
  readonly pageSize: number | null
  /** The position of the link to the next page; a bare array has none but a header. */
  readonly pageLink: 'next' | 'links.next' | 'header'
  readonly oneCase: 'bare' | 'content' | 'data' | 'case'
  /** `ids`: the id alone. `minimal`: also history number, visit date, state. `everything`: also free text and names. */
  readonly caseFields: 'ids' | 'minimal' | 'everything'
  readonly report: ReportShape
  readonly notReady: NotReadyShape
  readonly centers: CentersShape
  readonly centerId: 'id' | 'center_id' | 'uuid'
  readonly centerName: 'name' | 'title' | 'description'
  readonly marksCurrentCenter: boolean
  readonly centerChanged: 'envelope' | 'empty' | 'noContent'
  readonly failure: FailureShape
  /** With `alwaysOk` a failure comes with status 200, and only its envelope says so. */
  readonly failureStatus: 'honest' | 'alwaysOk'
}

/** The default: an envelope, and nothing in it that it need not say. No free text comes back, so no reference. */
export const STINGY: Dialect = {
  token: 'bare',
  expiry: 'expiresIn',
  ids: 'number',
  created: 'content',
  list: 'content',
  emptyList: 'empty',
  pageSize: null,
  pageLink: 'next',
  oneCase: 'content',
  caseFields: 'minimal',
  report: 'pdf',
  notReady: '404',
  centers: 'content',
  centerId: 'id',
  centerName: 'name',
  marksCurrentCenter: false,
  centerChanged: 'envelope',
  failure: 'envelope',
  failureStatus: 'honest',
}

/** A service that states all it knows: text ids, the whole case, the current center. */
export const TALKATIVE: Dialect = {
  ...STINGY,
  token: 'data',
  ids: 'text',
  created: 'case.id',
  list: 'data.cases',
  oneCase: 'case',
  caseFields: 'everything',
  notReady: '202',
  centers: 'centers',
  centerId: 'center_id',
  marksCurrentCenter: true,
  centerChanged: 'noContent',
  failure: 'errors',
}

/** A service of the kind that answers 200 to everything and gives as little as can be. */
export const TACITURN: Dialect = {
  ...STINGY,
  token: 'string',
  expiry: 'none',
  ids: 'numberText',
  created: 'bare',
  list: 'keyedById',
  emptyList: 'null',
  caseFields: 'ids',
  report: 'base64',
  notReady: 'successFalse',
  centers: 'map',
  centerChanged: 'empty',
  failureStatus: 'alwaysOk',
}
