;;; flux.el --- Rule sheets of games in Emacs, 29 or newer -*- lexical-binding: t -*-

;; Load this file, or copy it into your init file; a sheet then opens with the language server by `M-x eglot'.

;;; Code:

(require 'eglot)

(defvar flux-program "flux" "The program flux.")

(define-derived-mode gdl-mode prog-mode "GDL"
  "Rules of games in the Game Description Language."
  (setq-local comment-start "; ")
  (setq-local comment-start-skip ";+ *")
  (setq-local lisp-indent-offset 4)
  (setq-local indent-line-function #'lisp-indent-line)
  (modify-syntax-entry ?\; "<")
  (modify-syntax-entry ?\n ">")
  (modify-syntax-entry ?? "_")
  (modify-syntax-entry ?_ "_"))

(add-to-list 'auto-mode-alist '("\\.\\(kif\\|gdl\\)\\'" . gdl-mode))
(add-to-list 'eglot-server-programs `(gdl-mode . (,flux-program "lsp")))

;; An explanation (`flux.why') arrives as a message of the server.

(provide 'flux)
;;; flux.el ends here
