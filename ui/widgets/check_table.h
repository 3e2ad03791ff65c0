// SPDX-License-Identifier: GPL-3.0-or-later
// Names with boxes to tick beside them.
#pragma once

#include <QTableWidget>
#include <vector>

namespace suture {

class CheckTable : public QTableWidget {
    Q_OBJECT
public:
    struct Row {
        QString name, tip;
        std::vector<bool> ticked;  ///< a box each
        bool operator==(const Row&) const = default;
    };

    /// `titles`: of the names, then of the boxes. `shown_rows`: more are scrolled.
    CheckTable(const QString& name, const QStringList& titles, int shown_rows, QWidget* parent);

    /// Names can be typed over.
    void set_editable(bool editable) { editable_ = editable; }
    /// Emits nothing.
    void show_rows(const std::vector<Row>& rows);
    const std::vector<Row>& rows() const { return rows_; }
    /// -1: none.
    int chosen_row() const { return currentRow(); }

Q_SIGNALS:
    /// A person ticked a box or typed a name.
    void edited();

private:
    void take(QTableWidgetItem* item);

    std::vector<Row> rows_;
    bool editable_ = false;
};

}  // namespace suture
