; The texts of installer.nsh, as they are in src-shared/texts/{en,es}/host.json; a test compares them.
; $R6: the folder; $R3: the reason; $R4: the folder set aside; $R7: the operators.

!define EN_dataFolderFailed "The data folder $R6 could not be set up: $R3. Fix this and install again before you start the station; otherwise each account has its own cases."
!define EN_ownerChanged "$R6 did not belong to an administrator. Its owner and permissions were reset; its content was kept."
!define EN_foreignFolder "$R6 was not created by an administrator. It was moved to $R4 and replaced by a new one; a policy in it is ignored."
!define EN_foreignPolicy "$R6\policy.json does not belong to an administrator. It was renamed policy.set-aside.json and is ignored; put your own there."
!define EN_reasons_mark "the mark beside the program could not be written"
!define EN_reasons_foreign "it was not created by an administrator, or leads elsewhere, and cannot be moved"
!define EN_reasons_rights "its permissions cannot be changed"
!define EN_reasons_links "it contains links"
!define EN_reasons_operators "no access for $R7, named by /OPERATORS (only administrators have it)"
!define EN_reasons_operatorsAndRights "no access for $R7, named by /OPERATORS, and its permissions cannot be changed: check them"
!define EN_reasons_policy "its policy.json was not written by an administrator and cannot be moved"

!define ES_dataFolderFailed "No se pudo preparar la carpeta de datos $R6: $R3. Corríjalo e instale de nuevo antes de iniciar la estación; si no, cada cuenta tendrá sus propios casos."
!define ES_ownerChanged "$R6 no pertenecía a un administrador. Se restablecieron su propietario y sus permisos; su contenido se conserva."
!define ES_foreignFolder "$R6 no la creó un administrador. Se movió a $R4 y se sustituyó por una nueva; se ignora cualquier directiva que contenga."
!define ES_foreignPolicy "$R6\policy.json no pertenece a un administrador. Se renombró como policy.set-aside.json y se ignora; ponga allí el suyo."
!define ES_reasons_mark "no se pudo escribir la marca junto al programa"
!define ES_reasons_foreign "no la creó un administrador, o lleva a otro lugar, y no se puede mover"
!define ES_reasons_rights "no se pueden cambiar sus permisos"
!define ES_reasons_links "contiene enlaces"
!define ES_reasons_operators "sin acceso para $R7, indicado con /OPERATORS (solo lo tienen los administradores)"
!define ES_reasons_operatorsAndRights "sin acceso para $R7, indicado con /OPERATORS, y no se pueden cambiar sus permisos: compruébelos"
!define ES_reasons_policy "su policy.json no lo escribió un administrador y no se puede mover"

; 1034 and 3082: Spanish (traditional and modern sort), by the language of the installer.
!macro inLanguage NAME
  ${if} $LANGUAGE == 1034
  ${orIf} $LANGUAGE == 3082
    StrCpy $R8 "${ES_${NAME}}"
  ${else}
    StrCpy $R8 "${EN_${NAME}}"
  ${endif}
!macroend

; $R8 is lost.
!macro showText NAME
  !insertmacro inLanguage ${NAME}
  MessageBox MB_OK|MB_ICONEXCLAMATION "$R8" /SD IDOK
!macroend

; $R3: what went wrong with the folder. $R8 is lost.
!macro setReason NAME
  !insertmacro inLanguage reasons_${NAME}
  StrCpy $R3 $R8
!macroend
