; The texts of installer.nsh, as they are in src-shared/texts/{en,es}/host.json; a test compares them.
; $R6: the folder; $R3: the reason; $R4: the folder set aside; $R7: the operators.

!define EN_dataFolderFailed "The data folder $R6 could not be set up: $R3. It is not used, and each account would keep its own cases. Correct this and install again, before the station is started."
!define EN_ownerChanged "$R6 belonged to a person who is no administrator. What is in it stays; its owner and its rights are set again."
!define EN_foreignFolder "$R6 was there already and was not made by an administrator. It was moved to $R4, with all that is in it, and a new one was made. A policy in it is not believed."
!define EN_foreignPolicy "$R6\policy.json does not belong to an administrator and is not believed. It was moved to policy.set-aside.json beside it. Put your own there."
!define EN_reasons_mark "the mark beside the program could not be written"
!define EN_reasons_foreign "it was not made by an administrator, or leads elsewhere, and cannot be moved aside"
!define EN_reasons_rights "its rights cannot be changed"
!define EN_reasons_links "it contains links to other places"
!define EN_reasons_operators "$R7, named by /OPERATORS, could not be let in (it is closed to all but administrators)"
!define EN_reasons_operatorsAndRights "$R7, named by /OPERATORS, could not be let in, and its rights cannot be changed: check them"
!define EN_reasons_policy "policy.json in it was not written by an administrator and cannot be moved aside"

!define ES_dataFolderFailed "No se pudo preparar la carpeta de datos $R6: $R3. No se usa, y cada cuenta guardaría sus propios casos. Corríjalo e instale de nuevo antes de iniciar la estación."
!define ES_ownerChanged "$R6 pertenecía a una persona que no es administrador. Su contenido se conserva; su propietario y sus permisos se establecen de nuevo."
!define ES_foreignFolder "$R6 ya existía y no la creó un administrador. Se movió a $R4, con todo su contenido, y se creó una nueva. No se confía en una directiva que contenga."
!define ES_foreignPolicy "$R6\policy.json no pertenece a un administrador y no se confía en él. Se movió a policy.set-aside.json, en la misma carpeta. Ponga allí el suyo."
!define ES_reasons_mark "no se pudo escribir la marca junto al programa"
!define ES_reasons_foreign "no la creó un administrador, o lleva a otro lugar, y no se puede apartar"
!define ES_reasons_rights "no se pueden cambiar sus permisos"
!define ES_reasons_links "contiene enlaces a otros lugares"
!define ES_reasons_operators "no se pudo dar acceso a $R7, indicado con /OPERATORS (está cerrada para todos salvo los administradores)"
!define ES_reasons_operatorsAndRights "no se pudo dar acceso a $R7, indicado con /OPERATORS, y no se pueden cambiar sus permisos: compruébelos"
!define ES_reasons_policy "el archivo policy.json que contiene no lo escribió un administrador y no se puede apartar"

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
